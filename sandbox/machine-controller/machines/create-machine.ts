import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { Machine } from '../../../shared/contract/objects.ts'
import { type ControllerContext, nodeLabel } from '../context.ts'
import {
  type CloudMachine,
  type MachineCloud,
  MachineCloudError,
  type MachineRequest,
} from '../machine-cloud.ts'
import { nodeFaultOf, takeBackNodeFault } from '../nodes/node-fault.ts'
import { type Phase, statusAfter } from './machine-status.ts'

/** Returns true if the age of a Machine exceeds its creation timeout. */
export const isCreationOverdue = (
  { clock, durations }: ControllerContext,
  { metadata, spec }: Machine,
): boolean =>
  clock.now() - (parseTimestamp(metadata.creationTimestamp) ?? 0) >
  durations.of(spec?.creationTimeout, 'creationTimeout')

const failurePhase = (context: ControllerContext, machine: Machine): Phase =>
  isCreationOverdue(context, machine) ? 'Failed' : 'CrashLoopBackOff'

/** Reports a failed creation. The first failure is retried at once. */
const reportFailure = async (
  context: ControllerContext,
  machine: Machine,
  error: MachineCloudError,
): Promise<number> => {
  const { machines, durations } = context
  const isFirst = machine.status?.lastOperation === undefined
  const operation = {
    description: `Cloud provider message - ${error.message}`,
    errorCode: error.code,
    state: 'Failed',
    type: 'Create',
  } as const
  await machines.writeStatus(
    machine,
    statusAfter(context, machine, operation, failurePhase(context, machine)),
  )
  if (isFirst) return 0
  return error.code === 'ResourceExhausted' ? durations.longRetry : durations.retry
}

const isStale = (context: ControllerContext, machine: Machine, { nodeName }: CloudMachine): boolean =>
  context.nodes.get(machine.metadata.namespace ?? '', nodeName) !== undefined ||
  nodeFaultOf(context, machine) === 'stale'

/** A new instance has the name of an existing Node. It is abandoned, so that the Machine is replaced. */
const giveUpStale = async (
  context: ControllerContext,
  machine: Machine,
  { cloud, request, made }: { cloud: MachineCloud; request: MachineRequest; made: CloudMachine },
): Promise<number> => {
  await cloud.remove({ ...request, providerId: made.providerId }, context.signal)
  await takeBackNodeFault(context, machine)
  const operation = { description: 'VM using old node obj', state: 'Failed', type: 'Create' } as const
  await context.machines.writeStatus(machine, statusAfter(context, machine, operation, 'Failed'))
  return context.durations.step
}

/** Sets provider id, name of the Node and priority in one update. */
const label = ({ machines }: ControllerContext, machine: Machine, { providerId, nodeName }: CloudMachine) => {
  const { labels, annotations } = machine.metadata
  if (machine.spec?.providerID === providerId && labels?.[nodeLabel] === nodeName) return machine
  return machines.patch(machine, {
    metadata: {
      labels: { [nodeLabel]: nodeName },
      annotations: { [priorityAnnotation]: annotations?.[priorityAnnotation] ?? '3' },
    },
    spec: { providerID: providerId },
  })
}

const priorityAnnotation = 'machinepriority.machine.sapcloud.io'

/**
 * Creates the instance of a Machine, or adopts an existing one. The first pass creates and configures it; the second
 * finds it complete and waits for its Node.
 */
export const createMachine = async (
  context: ControllerContext,
  machine: Machine,
  { cloud, request }: { readonly cloud: MachineCloud; readonly request: MachineRequest },
): Promise<number | undefined> => {
  const { namespace = '' } = machine.metadata
  const { signal } = context
  try {
    const found = await cloud.find(request, signal)
    if (found === undefined && request.providerId !== undefined) return await pending(context, machine)
    const made = found ?? (await cloud.create(request, signal))
    if (found === undefined && isStale(context, machine, made))
      return await giveUpStale(context, machine, { cloud, request, made })
    const labelled = await label(context, machine, made)
    if (found?.initialized) return await pending(context, labelled)
    await cloud.initialize({ ...request, providerId: made.providerId }, signal)
    return 0
  } catch (error) {
    if (error instanceof MachineCloudError) {
      const { name } = machine.metadata
      return reportFailure(context, context.machines.get({ name, namespace }) ?? machine, error)
    }
    throw error
  }
}

const pending = async (context: ControllerContext, machine: Machine): Promise<number> => {
  const operation = {
    description: 'Creating machine on cloud provider',
    state: 'Processing',
    type: 'Create',
  } as const
  const status = statusAfter(context, machine, operation, 'Pending')
  await context.machines.writeStatus(machine, status)
  // Its Node may already exist.
  return 0
}
