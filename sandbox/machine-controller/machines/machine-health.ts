import { isDeepStrictEqual } from 'node:util'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { Machine } from '../../../shared/contract/objects.ts'
import { type ControllerContext, nodeLabel } from '../context.ts'
import { nodeConditions } from '../nodes/node-conditions.ts'
import { isCreationOverdue } from './create-machine.ts'
import { type MachineStatus, type Operation, type Phase, statusAfter } from './machine-status.ts'

interface HealthChange {
  readonly operation: Operation
  readonly phase: Phase
}

const conditionsText = (conditions: MachineStatus['conditions'] = []): string =>
  conditions.map(({ type, status, reason }) => `{${type} ${status} ${reason}}`).join(' ')

const joined = ({ metadata, status }: Machine): HealthChange => {
  const isFirst = status?.lastOperation?.type === 'Create' && status.lastOperation.state !== 'Successful'
  const operation: Operation = {
    description: `Machine ${metadata.name} successfully ${isFirst ? 'joined' : 're-joined'} the cluster`,
    state: 'Successful',
    type: isFirst ? 'Create' : 'HealthCheck',
  }
  return { operation, phase: 'Running' }
}

const unhealthy = (description: string): HealthChange => ({
  operation: { description, state: 'Processing', type: 'HealthCheck' },
  phase: 'Unknown',
})

/**
 * Returns true if another machine of the deployment is being replaced. Replacements are sequential, so a shoot does not
 * lose all nodes at once.
 */
const isReplacementUnderWay = ({ machines }: ControllerContext, { metadata }: Machine): boolean =>
  machines
    .list(metadata.namespace ?? '')
    .filter(({ metadata: other }) => other.labels?.name === metadata.labels?.name)
    .some(({ status }) => !['Running', 'Unknown'].includes(status?.currentStatus?.phase ?? ''))

const timedOut = (context: ControllerContext, machine: Machine): HealthChange | undefined => {
  const { clock, durations } = context
  const { metadata, status, spec } = machine
  const phase = status?.currentStatus?.phase
  if (phase === 'Pending' && isCreationOverdue(context, machine)) {
    const minutes = spec?.creationTimeout ?? '20m0s'
    const description = `Machine ${metadata.name} failed to join the cluster in ${minutes} minutes.`
    return { operation: { description, state: 'Failed', type: 'Create' }, phase: 'Failed' }
  }
  if (phase !== 'Unknown' || spec?.disableHealthTimeout) return undefined
  const since = parseTimestamp(status?.currentStatus?.lastUpdateTime) ?? 0
  if (clock.now() - since <= durations.of(spec?.healthTimeout, 'healthTimeout')) return undefined
  if (isReplacementUnderWay(context, machine)) return undefined
  const description = `Machine ${metadata.name} health checks failing since last ${spec?.healthTimeout ?? '10m0s'} minutes. Updating machine phase to Failed. Node Conditions: ${conditionsText(status?.conditions)}`
  return { operation: { description, state: 'Failed', type: 'HealthCheck' }, phase: 'Failed' }
}

const changeOf = (
  context: ControllerContext,
  machine: Machine,
  conditions: NonNullable<MachineStatus['conditions']> | undefined,
): HealthChange | undefined => {
  const { metadata, status } = machine
  const phase = status?.currentStatus?.phase
  const isRunning = phase === 'Running'
  if (conditions === undefined)
    return isRunning && (status?.conditions ?? []).length > 0
      ? unhealthy(
          `Node object went missing. Machine ${metadata.name} is unhealthy - changing MachinePhase to Unknown`,
        )
      : timedOut(context, machine)
  const isHealthy = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  if (isHealthy) return isRunning || phase === 'Failed' ? undefined : joined(machine)
  if (!isRunning) return timedOut(context, machine)
  return unhealthy(
    `Machine ${metadata.name} is unhealthy - changing MachinePhase to Unknown. Node conditions: ${conditionsText(conditions)}`,
  )
}

/** Updates a Machine from its Node: conditions, phases, timeouts. Resolves with the time of the next check. */
export const checkHealth = async (
  context: ControllerContext,
  machine: Machine,
): Promise<number | undefined> => {
  const { nodes, machines, durations } = context
  const { namespace = '', labels } = machine.metadata
  const node = nodes.get(namespace, labels?.[nodeLabel] ?? '')
  const conditions =
    node !== undefined && node.providerId === machine.spec?.providerID ? nodeConditions(node) : undefined
  const change = changeOf(context, machine, conditions)
  const seen = conditions === undefined ? machine : { ...machine, status: { ...machine.status, conditions } }
  const status = change ? statusAfter(context, seen, change.operation, change.phase) : seen.status
  const written = isDeepStrictEqual(status, machine.status)
    ? machine
    : await machines.writeStatus(machine, status ?? {})
  const waits = ['Pending', 'Unknown'].includes(written.status?.currentStatus?.phase ?? '')
  return waits ? durations.timeoutCheck : undefined
}
