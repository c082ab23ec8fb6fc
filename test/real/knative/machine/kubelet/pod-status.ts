import type { V1ContainerStatus, V1PodCondition, V1PodStatus } from '@kubernetes/client-node'
import type { Pod } from './pod.ts'

export interface PodFacts {
  readonly pod: Pod
  readonly node: string
  /** Undefined until the Pod has its network. */
  readonly address: string | undefined
  readonly startTime: Date
  readonly initContainers: readonly V1ContainerStatus[]
  readonly containers: readonly V1ContainerStatus[]
}

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed'

/** Returns the status that a kubelet reports. Conditions with an unchanged status retain their time from `previous`. */
export const podStatus = (facts: PodFacts, previous: V1PodStatus | undefined, now: Date): V1PodStatus => {
  const { pod, node, address, startTime, initContainers, containers } = facts
  const phase = phaseOf(facts)
  const completed = phase === 'Succeeded' ? 'PodCompleted' : undefined
  const notReady = containers.filter(({ ready }) => !ready).map(({ name }) => name)
  const closedGates = (pod.spec.readinessGates ?? []).filter(
    ({ conditionType }) =>
      !pod.status?.conditions?.some(c => c.type === conditionType && c.status === 'True'),
  )
  const unready =
    notReady.length > 0
      ? {
          reason: completed ?? 'ContainersNotReady',
          message: `containers with unready status: [${notReady.join(' ')}]`,
        }
      : undefined
  const gate = closedGates.length > 0 ? { reason: 'ReadinessGatesNotReady' } : undefined
  const initialized = isInitialized(initContainers)
  const condition = (type: string, holds: boolean, why: object = {}): V1PodCondition => {
    const status = holds ? 'True' : 'False'
    const before = previous?.conditions?.find(entry => entry.type === type)
    return {
      type,
      status,
      lastTransitionTime: (before?.status === status ? before.lastTransitionTime : undefined) ?? now,
      ...why,
    }
  }
  const own = [
    condition('PodReadyToStartContainers', address !== undefined),
    condition('Initialized', initialized, initialized ? {} : { reason: 'ContainersNotInitialized' }),
    condition('Ready', !unready && !gate, unready ?? gate),
    condition('ContainersReady', !unready, unready),
    condition('PodScheduled', true),
  ]
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !own.some(c => c.type === type))
  return {
    phase,
    hostIP: node,
    hostIPs: [{ ip: node }],
    ...(address === undefined ? {} : { podIP: address, podIPs: [{ ip: address }] }),
    startTime,
    qosClass: pod.status?.qosClass ?? 'BestEffort',
    conditions: [...own, ...foreign],
    ...(initContainers.length > 0 && {
      // An init container is ready when it has completed.
      initContainerStatuses: initContainers.map(status => ({
        ...status,
        ready: status.state?.terminated?.exitCode === 0,
      })),
    }),
    containerStatuses: [...containers],
  }
}

const isInitialized = (initContainers: readonly V1ContainerStatus[]): boolean =>
  initContainers.every(({ state }) => state?.terminated?.exitCode === 0)

/** Follows `getPhase` of the kubelet. */
const phaseOf = ({ pod, initContainers, containers }: PodFacts): Phase => {
  const policy = pod.spec.restartPolicy ?? 'Always'
  if (!isInitialized(initContainers)) {
    const failed = initContainers.some(({ state }) => state?.terminated)
    return failed && policy === 'Never' ? 'Failed' : 'Pending'
  }
  const hasEnded = ({ state, lastState }: V1ContainerStatus) => state?.terminated ?? lastState?.terminated
  if (containers.some(({ state, lastState }) => state?.waiting && !lastState?.terminated)) return 'Pending'
  if (containers.some(({ state }) => state?.running) || policy === 'Always') return 'Running'
  if (containers.every(status => hasEnded(status)?.exitCode === 0)) return 'Succeeded'
  return policy === 'Never' ? 'Failed' : 'Running'
}
