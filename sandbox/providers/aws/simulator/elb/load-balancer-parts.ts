import type {
  AddTagsInput,
  ApplySecurityGroupsToLoadBalancerInput,
  ApplySecurityGroupsToLoadBalancerOutput,
  ConfigureHealthCheckInput,
  ConfigureHealthCheckOutput,
  CreateLoadBalancerListenerInput,
  DeleteLoadBalancerListenerInput,
  DeregisterEndPointsInput,
  DeregisterEndPointsOutput,
  DescribeTagsInput,
  DescribeTagsOutput,
  RegisterEndPointsInput,
  RegisterEndPointsOutput,
  RemoveTagsInput,
} from '@aws-sdk/client-elastic-load-balancing'
import { refuse } from '../service.ts'
import { checkListeners, type ElbCall, findLoadBalancer } from './load-balancers.ts'
import { groupsOf, setInterfaceGroups } from './placement.ts'
import { withoutTags, withTags } from './tags.ts'

const checkCount = (names: readonly string[]): void => {
  if (names.length === 0 || names.length > 20) {
    throw refuse('ValidationError', 'Between 1 and 20 load balancer names must be specified', { status: 400 })
  }
}

export const describeTags = (input: DescribeTagsInput, call: ElbCall): DescribeTagsOutput => {
  const names = input.LoadBalancerNames ?? []
  checkCount(names)
  return {
    TagDescriptions: names.map(LoadBalancerName => ({
      LoadBalancerName,
      Tags: [...findLoadBalancer(call, LoadBalancerName).tags],
    })),
  }
}

export const addTags = (input: AddTagsInput, call: ElbCall): object => {
  const balancers = (input.LoadBalancerNames ?? []).map(name => findLoadBalancer(call, name))
  const tagged = balancers.map(balancer => withTags(balancer.tags, input.Tags, 10))
  for (const [index, balancer] of balancers.entries()) balancer.tags = tagged[index] ?? balancer.tags
  return {}
}

export const removeTags = (input: RemoveTagsInput, call: ElbCall): object => {
  const balancers = (input.LoadBalancerNames ?? []).map(name => findLoadBalancer(call, name))
  const keys = (input.Tags ?? []).map(({ Key }) => Key)
  for (const balancer of balancers) balancer.tags = withoutTags(balancer.tags, keys)
  return {}
}

/** Repeating a listener succeeds; another listener on the same port is refused. */
export const createListeners = (input: CreateLoadBalancerListenerInput, call: ElbCall): object => {
  const balancer = findLoadBalancer(call, input.LoadBalancerName)
  const added = checkListeners(input.Listeners ?? [])
  const fresh = added.filter(listener => {
    const known = balancer.listeners.find(other => other.LoadBalancerPort === listener.LoadBalancerPort)
    if (!known) return true
    if (JSON.stringify(known) === JSON.stringify(listener)) return false
    throw refuse(
      'DuplicateListener',
      `A listener already exists for ${balancer.name} with LoadBalancerPort ${listener.LoadBalancerPort}, but with a different InstancePort, Protocol, or SSLCertificateId`,
    )
  })
  balancer.listeners = [...balancer.listeners, ...fresh]
  return {}
}

export const deleteListeners = (input: DeleteLoadBalancerListenerInput, call: ElbCall): object => {
  const balancer = findLoadBalancer(call, input.LoadBalancerName)
  const ports = input.LoadBalancerPorts ?? []
  balancer.listeners = balancer.listeners.filter(
    ({ LoadBalancerPort = 0 }) => !ports.includes(LoadBalancerPort),
  )
  return {}
}

const idsOf = (instances: RegisterEndPointsInput['Instances']): readonly string[] =>
  (instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? [])

const shown = (ids: readonly string[]) => ({ Instances: ids.map(InstanceId => ({ InstanceId })) })

export const registerInstances = (input: RegisterEndPointsInput, call: ElbCall): RegisterEndPointsOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerName)
  balancer.instanceIds = [...new Set([...balancer.instanceIds, ...idsOf(input.Instances)])]
  return shown(balancer.instanceIds)
}

export const deregisterInstances = (
  input: DeregisterEndPointsInput,
  call: ElbCall,
): DeregisterEndPointsOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerName)
  const gone = idsOf(input.Instances)
  balancer.instanceIds = balancer.instanceIds.filter(id => !gone.includes(id))
  return shown(balancer.instanceIds)
}

export const configureHealthCheck = (
  input: ConfigureHealthCheckInput,
  call: ElbCall,
): ConfigureHealthCheckOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerName)
  const { HealthCheck } = input
  if (!HealthCheck || !/^(?:TCP|SSL|HTTPS?):\d+(?:\/.*)?$/i.test(HealthCheck.Target ?? '')) {
    throw refuse('ValidationError', 'HealthCheck Target must begin with one of HTTP, TCP, HTTPS, SSL', {
      status: 400,
    })
  }
  balancer.healthCheck = HealthCheck
  return { HealthCheck }
}

export const applySecurityGroups = (
  input: ApplySecurityGroupsToLoadBalancerInput,
  call: ElbCall,
): ApplySecurityGroupsToLoadBalancerOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerName)
  balancer.groupIds = groupsOf(call, balancer.vpcId, input.SecurityGroups ?? [])
  setInterfaceGroups(call, balancer.interfaceIds, balancer.groupIds)
  return { SecurityGroups: [...balancer.groupIds] }
}
