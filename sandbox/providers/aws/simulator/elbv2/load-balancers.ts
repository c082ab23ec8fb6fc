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
  checkName,
  createInterfaces,
  dnsNameOf,
  hostedZoneOf,
  placementOf,
  releaseInterfaces,
} from '../elb/placement.ts'
import type { LoadBalancerDurations } from '../elb/settings.ts'
import { withTags } from '../elb/tags.ts'
import { notBuilt } from '../serve/not-built.ts'
import { refuse } from '../service.ts'
import { type Elbv2Call, findLoadBalancer } from './find.ts'
import type { LoadBalancer } from './state.ts'

const invalid = (message: string) => refuse('ValidationError', message, { status: 400 })

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

interface LoadBalancerInput {
  readonly type: LoadBalancer['type']
  readonly scheme: LoadBalancer['scheme']
  readonly ipAddressType: LoadBalancer['ipAddressType']
  readonly subnetIds: readonly string[]
  readonly privateIps: Readonly<Record<string, string>>
}

const read = (input: CreateLoadBalancerInput): LoadBalancerInput => {
  const { Type: type = 'application', Scheme: scheme = 'internet-facing', IpAddressType = 'ipv4' } = input
  if (!Object.hasOwn(shortNames, type)) throw invalid(`Load balancer type '${type}' is not valid`)
  if (scheme !== 'internet-facing' && scheme !== 'internal') {
    throw refuse('InvalidScheme', `The scheme '${scheme}' is not valid`)
  }
  if (!['ipv4', 'dualstack', 'dualstack-without-public-ipv4'].includes(IpAddressType)) {
    throw invalid(`IP address type '${IpAddressType}' is not valid`)
  }
  if ((input.Subnets?.length ?? 0) > 0 && (input.SubnetMappings?.length ?? 0) > 0) {
    throw invalid('Either subnets or subnet mappings can be specified, not both')
  }
  const mappings = input.SubnetMappings ?? (input.Subnets ?? []).map(SubnetId => ({ SubnetId }))
  for (const mapping of mappings) {
    const other = Object.keys(mapping).find(name => name !== 'SubnetId' && name !== 'PrivateIPv4Address')
    if (other !== undefined) throw notBuilt(`the parameter SubnetMappings.${other}`)
  }
  const subnetIds = [...new Set(mappings.flatMap(({ SubnetId }) => SubnetId ?? []))]
  if (type === 'application' && subnetIds.length < 2) {
    throw invalid('At least two subnets in two different Availability Zones must be specified')
  }
  if (subnetIds.length === 0) throw invalid('At least one subnet must be specified')
  return {
    type,
    scheme,
    subnetIds,
    ipAddressType: IpAddressType,
    privateIps: Object.fromEntries(
      mappings.flatMap(mapping =>
        'PrivateIPv4Address' in mapping && mapping.SubnetId && mapping.PrivateIPv4Address
          ? [[mapping.SubnetId, mapping.PrivateIPv4Address]]
          : [],
      ),
    ),
  }
}

const sameSettings = (balancer: LoadBalancer, wanted: LoadBalancerInput): boolean =>
  balancer.type === wanted.type &&
  balancer.scheme === wanted.scheme &&
  balancer.ipAddressType === wanted.ipAddressType &&
  balancer.subnets
    .map(({ id }) => id)
    .sort()
    .join() === [...wanted.subnetIds].sort().join()

/** Repeating the same request succeeds ("CreateLoadBalancer", API reference 2015-12-01). */
export const createLoadBalancer =
  (durations: LoadBalancerDurations) =>
  (input: CreateLoadBalancerInput, call: Elbv2Call): CreateLoadBalancerOutput => {
    const name = input.Name ?? ''
    checkName(name)
    if (name.startsWith('internal-'))
      throw invalid(`Load balancer name '${name}' cannot begin with 'internal-'`)
    const wanted = read(input)
    const tags = withTags([], input.Tags)
    const known = call.state.loadBalancers.find(each => each.name === name)
    if (known && sameSettings(known, wanted)) return { LoadBalancers: [describe(known, durations, call)] }
    if (known) {
      throw refuse(
        'DuplicateLoadBalancerName',
        `A load balancer with the same name '${name}' exists, but with different settings`,
      )
    }
    // A network load balancer has no default group.
    const groups = input.SecurityGroups ?? []
    const placement = placementOf(call, {
      subnetIds: wanted.subnetIds,
      groupIds: wanted.type !== 'application' && groups.length === 0 ? 'none' : groups,
    })
    const id = call.newId(16, '0123456789abcdef')
    const path = `${shortNames[wanted.type]}/${name}/${id}`
    const interfaceIds = createInterfaces(call, {
      placement,
      description: `ELB ${path}`,
      type: wanted.type === 'network' ? 'network_load_balancer' : 'interface',
      isPublic: wanted.scheme === 'internet-facing',
      dualStack: wanted.ipAddressType !== 'ipv4',
      privateIps: wanted.privateIps,
    })
    const internal = wanted.scheme === 'internal' && wanted.type !== 'network' ? 'internal-' : ''
    const number = wanted.type === 'network' ? id : call.newId(10, '123456789')
    const balancer: LoadBalancer = {
      ...placement,
      name,
      tags,
      interfaceIds,
      type: wanted.type,
      scheme: wanted.scheme,
      ipAddressType: wanted.ipAddressType,
      arn: `arn:aws:elasticloadbalancing:${call.region}:${call.principal.accountId}:loadbalancer/${path}`,
      dnsName: dnsNameOf(`${internal}${name}-${number}`, call.region, dnsKind(wanted)),
      createdAt: call.clock.now(),
      attributes: {},
    }
    call.state.loadBalancers = [...call.state.loadBalancers, balancer]
    return { LoadBalancers: [describe(balancer, durations, call)] }
  }

export const describeLoadBalancers =
  (durations: LoadBalancerDurations) =>
  (input: DescribeLoadBalancersInput, call: Elbv2Call): DescribeLoadBalancersOutput => {
    const { LoadBalancerArns: arns = [], Names: names = [] } = input
    if (arns.length > 0 && names.length > 0) {
      throw invalid('Load balancer names and load balancer ARNs cannot be specified at the same time')
    }
    if (arns.length + names.length > 20) throw invalid('A maximum of 20 load balancers can be specified')
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
    if (gone.attributes['deletion_protection.enabled'] === 'true') {
      throw refuse(
        'OperationNotPermitted',
        `Load balancer '${gone.arn}' cannot be deleted because deletion protection is enabled`,
      )
    }
    state.loadBalancers = state.loadBalancers.filter(each => each !== gone)
    state.listeners = state.listeners.filter(({ loadBalancerArn }) => loadBalancerArn !== gone.arn)
    releaseInterfaces(call, gone.interfaceIds, clock.now() + durations.interfacesReleased)
    return {}
  }
