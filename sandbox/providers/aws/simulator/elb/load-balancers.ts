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
import {
  checkName,
  createInterfaces,
  dnsNameOf,
  hostedZoneOf,
  placementOf,
  releaseInterfaces,
} from './placement.ts'
import type { LoadBalancerDurations } from './settings.ts'
import type { ClassicLoadBalancer, ElbState } from './state.ts'
import { withTags } from './tags.ts'

export type ElbCall = Call<ElbState>

/** @throws AwsError LoadBalancerNotFound; the SDKs call it AccessPointNotFoundException */
export const findLoadBalancer = ({ state }: ElbCall, name: string | undefined): ClassicLoadBalancer => {
  const found = state.loadBalancers.find(each => each.name === name)
  if (!found) throw refuse('LoadBalancerNotFound', `There is no ACTIVE Load Balancer named '${name}'`)
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

/** @throws AwsError ValidationError */
const checkListeners = (listeners: readonly Listener[]): readonly Listener[] =>
  listeners.map(listener => {
    const { LoadBalancerPort = 0, InstancePort = 0, Protocol = '' } = listener
    const protocol = Protocol.toUpperCase()
    if (!['HTTP', 'HTTPS', 'TCP', 'SSL'].includes(protocol)) {
      throw refuse('UnsupportedProtocol', `The protocol '${Protocol}' is not supported`)
    }
    for (const port of [LoadBalancerPort, InstancePort]) {
      if (!(port >= 1 && port <= 65_535)) {
        throw refuse('ValidationError', `The port ${port} must be between 1 and 65535`, { status: 400 })
      }
    }
    return { ...listener, Protocol: protocol, InstanceProtocol: listener.InstanceProtocol ?? protocol }
  })

const sameSettings = (
  balancer: ClassicLoadBalancer,
  wanted: Pick<ClassicLoadBalancer, 'subnets' | 'groupIds' | 'scheme' | 'listeners'>,
): boolean => {
  const comparable = ({ subnets, groupIds, scheme, listeners }: typeof wanted) =>
    JSON.stringify([subnets.map(({ id }) => id).sort(), [...groupIds].sort(), scheme, listeners])
  return comparable(balancer) === comparable(wanted)
}

/** Repeating the same request succeeds ("CreateLoadBalancer", API reference 2012-06-01). */
export const createLoadBalancer = (input: CreateAccessPointInput, call: ElbCall): CreateAccessPointOutput => {
  const name = input.LoadBalancerName ?? ''
  checkName(name)
  if (input.Scheme !== undefined && input.Scheme !== 'internal' && input.Scheme !== 'internet-facing') {
    throw refuse('InvalidScheme', `Invalid scheme: ${input.Scheme}`)
  }
  const scheme = input.Scheme ?? 'internet-facing'
  if (!input.Listeners?.length) {
    throw refuse('ValidationError', 'At least one listener must be specified', { status: 400 })
  }
  const listeners = checkListeners(input.Listeners)
  const tags = withTags([], input.Tags, 10)
  if (input.AvailabilityZones?.length) {
    throw notBuilt('the parameter AvailabilityZones')
  }
  const placement = placementOf(call, {
    subnetIds: input.Subnets ?? [],
    groupIds: input.SecurityGroups ?? [],
  })
  const known = call.state.loadBalancers.find(each => each.name === name)
  if (known) {
    if (sameSettings(known, { ...placement, scheme, listeners })) return { DNSName: known.dnsName }
    throw refuse(
      'DuplicateLoadBalancerName',
      `Load Balancer named ${name} already exists and it is configured with different parameters.`,
    )
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
