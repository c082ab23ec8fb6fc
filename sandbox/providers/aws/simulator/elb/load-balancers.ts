import type {
  CreateAccessPointInput,
  CreateAccessPointOutput,
  DeleteAccessPointInput,
  DescribeAccessPointsInput,
  DescribeAccessPointsOutput,
  Listener,
  LoadBalancerDescription,
} from '@aws-sdk/client-elastic-load-balancing'
import { ec2Of } from '../ec2/network-interfaces.ts'
import { notBuilt } from '../serve/not-built.ts'
import { type Call, refuse } from '../service.ts'
import { pageOf } from './pages.ts'
import { createInterfaces, dnsNameOf, hostedZoneOf, placementOf, releaseInterfaces } from './placement.ts'
import type { LoadBalancerDurations } from './settings.ts'
import type { ClassicLoadBalancer, ElbState } from './state.ts'
import { newTags } from './tags.ts'

export type ElbCall = Call<ElbState>

/** @throws AwsError LoadBalancerNotFound; the SDKs call it AccessPointNotFoundException */
export const findLoadBalancer = (call: ElbCall, name: string | undefined): ClassicLoadBalancer => {
  const found = call.state.loadBalancers.find(each => each.name === name)
  if (!found || call.isHidden?.('loadBalancers', found.name))
    throw refuse('LoadBalancerNotFound', `There is no ACTIVE Load Balancer named '${name}'`)
  return found
}

const groupName = (call: ElbCall, { groupIds }: ClassicLoadBalancer) => {
  const [first] = groupIds
  const group = first === undefined ? undefined : ec2Of(call).tables.securityGroups.get(first)
  return group ? { SourceSecurityGroup: { OwnerAlias: call.principal.accountId, GroupName: group.name } } : {}
}

const describe = (balancer: ClassicLoadBalancer, call: ElbCall): LoadBalancerDescription => ({
  LoadBalancerName: balancer.name,
  DNSName: balancer.dnsName,
  ...(balancer.scheme === 'internal' ? {} : { CanonicalHostedZoneName: balancer.dnsName }),
  CanonicalHostedZoneNameID: hostedZoneOf(call.region, 'other'),
  ListenerDescriptions: balancer.listeners.map(listener => ({ Listener: listener, PolicyNames: [] })),
  Policies: { AppCookieStickinessPolicies: [], LBCookieStickinessPolicies: [], OtherPolicies: [] },
  BackendServerDescriptions: [],
  AvailabilityZones: balancer.subnets.map(({ zone }) => zone),
  Subnets: balancer.subnets.map(({ id }) => id),
  VPCId: balancer.vpcId,
  Instances: [],
  HealthCheck: {
    Target: `TCP:${balancer.listeners[0]?.InstancePort}`,
    Interval: 30,
    Timeout: 5,
    UnhealthyThreshold: 2,
    HealthyThreshold: 10,
  },
  ...groupName(call, balancer),
  SecurityGroups: [...balancer.groupIds],
  CreatedTime: new Date(balancer.createdAt),
  Scheme: balancer.scheme,
})

const withProtocols = ({ Protocol = 'TCP', ...listener }: Listener): Listener => ({
  InstanceProtocol: Protocol.toUpperCase(),
  ...listener,
  Protocol: Protocol.toUpperCase(),
})

export const createLoadBalancer = (input: CreateAccessPointInput, call: ElbCall): CreateAccessPointOutput => {
  const name = input.LoadBalancerName ?? ''
  const scheme = input.Scheme === 'internal' ? 'internal' : 'internet-facing'
  const listeners = (input.Listeners ?? []).map(withProtocols)
  const tags = newTags(input.Tags)
  const placement = placementOf(call, {
    subnetIds: input.Subnets ?? [],
    groupIds: input.SecurityGroups ?? [],
  })
  if (call.state.loadBalancers.some(each => each.name === name)) {
    throw notBuilt('a second load balancer of the same name')
  }
  const interfaceIds = createInterfaces(call, {
    placement,
    description: `ELB ${name}`,
    type: 'interface',
    isPublic: scheme === 'internet-facing',
    dualStack: false,
  })
  const label = `${scheme === 'internal' ? 'internal-' : ''}${name}-${call.newId(10, '123456789')}`
  const balancer: ClassicLoadBalancer = {
    ...placement,
    name,
    scheme,
    listeners,
    tags,
    interfaceIds,
    dnsName: dnsNameOf(label, call.region, 'other'),
    createdAt: call.clock.now(),
  }
  call.state.loadBalancers = [...call.state.loadBalancers, balancer]
  return { DNSName: balancer.dnsName }
}

export const describeLoadBalancers = (
  input: DescribeAccessPointsInput,
  call: ElbCall,
): DescribeAccessPointsOutput => {
  const names = input.LoadBalancerNames ?? []
  const found = names.length > 0 ? names.map(name => findLoadBalancer(call, name)) : call.state.loadBalancers
  const { page, next } = pageOf(found, ({ name }) => name, input)
  return { LoadBalancerDescriptions: page.map(each => describe(each, call)), ...next }
}

/** Succeeds also if the load balancer does not exist. Its interfaces exist for some more minutes. */
export const deleteLoadBalancer =
  (durations: LoadBalancerDurations) =>
  (input: DeleteAccessPointInput, call: ElbCall): object => {
    const { state, clock } = call
    const gone = state.loadBalancers.find(({ name }) => name === input.LoadBalancerName)
    if (!gone) return {}
    state.loadBalancers = state.loadBalancers.filter(each => each !== gone)
    releaseInterfaces(call, gone.interfaceIds, clock.now() + durations.interfacesReleased)
    return {}
  }
