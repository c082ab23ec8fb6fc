import type {
  CreateLoadBalancerInput,
  CreateLoadBalancerOutput,
  DeleteLoadBalancerInput,
  DescribeLoadBalancersInput,
  DescribeLoadBalancersOutput,
  LoadBalancer as LoadBalancerOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { pageOf } from '../elb/pages.ts'
import {
  createInterfaces,
  dnsNameOf,
  hostedZoneOf,
  placementOf,
  releaseInterfaces,
} from '../elb/placement.ts'
import type { LoadBalancerDurations } from '../elb/settings.ts'
import { newTags } from '../elb/tags.ts'
import { notBuilt } from '../serve/not-built.ts'
import { refuse } from '../service.ts'
import { type Elbv2Call, findLoadBalancer } from './find.ts'
import type { LoadBalancer } from './state.ts'

/** The names of the types in ARNs. */
const shortNames = { application: 'app', network: 'net', gateway: 'gwy' } as const

const dnsKind = ({ type }: Pick<LoadBalancer, 'type'>) => (type === 'network' ? 'network' : 'other')

const describe = (
  balancer: LoadBalancer,
  { active }: LoadBalancerDurations,
  { region, clock }: Elbv2Call,
): LoadBalancerOutput => ({
  LoadBalancerArn: balancer.arn,
  DNSName: balancer.dnsName,
  CanonicalHostedZoneId: hostedZoneOf(region, dnsKind(balancer)),
  CreatedTime: new Date(balancer.createdAt),
  LoadBalancerName: balancer.name,
  Scheme: balancer.scheme,
  VpcId: balancer.vpcId,
  State: { Code: clock.now() < balancer.createdAt + active ? 'provisioning' : 'active' },
  Type: balancer.type,
  AvailabilityZones: balancer.subnets.map(({ id, zone }) => ({
    ZoneName: zone,
    SubnetId: id,
    LoadBalancerAddresses: [],
  })),
  ...(balancer.groupIds.length > 0 ? { SecurityGroups: [...balancer.groupIds] } : {}),
  IpAddressType: balancer.ipAddressType,
})

export const createLoadBalancer =
  (durations: LoadBalancerDurations) =>
  (input: CreateLoadBalancerInput, call: Elbv2Call): CreateLoadBalancerOutput => {
    const name = input.Name ?? ''
    const { Type: type = 'application', Scheme: scheme = 'internet-facing', IpAddressType = 'ipv4' } = input
    const tags = newTags(input.Tags)
    if (call.state.loadBalancers.some(each => each.name === name)) {
      throw notBuilt('a second load balancer of the same name')
    }
    // A network load balancer has no default group.
    const groups = input.SecurityGroups ?? []
    const placement = placementOf(call, {
      subnetIds: input.Subnets ?? [],
      groupIds: type !== 'application' && groups.length === 0 ? 'none' : groups,
    })
    const id = call.newId(16, '0123456789abcdef')
    const path = `${shortNames[type]}/${name}/${id}`
    const interfaceIds = createInterfaces(call, {
      placement,
      description: `ELB ${path}`,
      type: type === 'network' ? 'network_load_balancer' : 'interface',
      isPublic: scheme === 'internet-facing',
      dualStack: IpAddressType !== 'ipv4',
    })
    const internal = scheme === 'internal' && type !== 'network' ? 'internal-' : ''
    const number = type === 'network' ? id : call.newId(10, '123456789')
    const balancer: LoadBalancer = {
      ...placement,
      name,
      tags,
      interfaceIds,
      type,
      scheme,
      ipAddressType: IpAddressType,
      arn: `arn:aws:elasticloadbalancing:${call.region}:${call.principal.accountId}:loadbalancer/${path}`,
      dnsName: dnsNameOf(`${internal}${name}-${number}`, call.region, dnsKind({ type })),
      createdAt: call.clock.now(),
    }
    call.state.loadBalancers = [...call.state.loadBalancers, balancer]
    return { LoadBalancers: [describe(balancer, durations, call)] }
  }

export const describeLoadBalancers =
  (durations: LoadBalancerDurations) =>
  (input: DescribeLoadBalancersInput, call: Elbv2Call): DescribeLoadBalancersOutput => {
    const { LoadBalancerArns: arns = [], Names: names = [] } = input
    const byName = names.map(name => {
      const found = call.state.loadBalancers.find(each => each.name === name)
      if (!found) throw refuse('LoadBalancerNotFound', `Load balancers '[${name}]' not found`)
      return found
    })
    const named = [...arns.map(arn => findLoadBalancer(call, arn)), ...byName]
    const all = arns.length + names.length > 0 ? named : call.state.loadBalancers
    const { page, next } = pageOf(all, ({ arn }) => arn, input)
    return { LoadBalancers: page.map(each => describe(each, durations, call)), ...next }
  }

/**
 * Deletes a load balancer with its listeners. Succeeds also if it does not exist. Target groups remain, and its
 * interfaces remain for minutes.
 */
export const deleteLoadBalancer =
  (durations: LoadBalancerDurations) =>
  (input: DeleteLoadBalancerInput, call: Elbv2Call): object => {
    const { state, clock } = call
    const gone = state.loadBalancers.find(({ arn }) => arn === input.LoadBalancerArn)
    if (!gone) return {}
    state.loadBalancers = state.loadBalancers.filter(each => each !== gone)
    state.listeners = state.listeners.filter(({ loadBalancerArn }) => loadBalancerArn !== gone.arn)
    releaseInterfaces(call, gone.interfaceIds, clock.now() + durations.interfacesReleased)
    return {}
  }
