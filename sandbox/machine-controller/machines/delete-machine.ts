import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { Machine } from '../../../shared/contract/objects.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { type ControllerContext, finalizers, nodeLabel } from '../context.ts'
import { type MachineCloud, MachineCloudError, type MachineRequest } from '../machine-cloud.ts'
import { type Operation, statusAfter } from './machine-status.ts'

/** The steps of a deletion. Each step finds its text at the end of the previous step's description. */
const steps = {
  find: 'Set machine status to termination. Now, getting VM Status',
  drain: 'Initiate node drain',
  detach: 'Delete Volume Attachments',
  terminate: 'Initiate VM deletion',
  deleteNode: 'Initiate node object deletion',
  finalize: 'Initiate machine object finalizer removal',
} as const

interface MachineDeletion {
  readonly context: ControllerContext
  readonly machine: Machine
  readonly cloud: MachineCloud
  readonly request: MachineRequest
}

/** The result of a step and the time of the next one. */
interface DeletionStep {
  readonly description: string
  readonly state?: Operation['state']
  readonly after?: number
}

const nodeNameOf = ({ metadata }: Machine): string => metadata.labels?.[nodeLabel] ?? ''

const find = async ({ context, machine, cloud, request }: MachineDeletion): Promise<DeletionStep> => {
  if (nodeNameOf(machine) !== '') return { description: steps.drain }
  try {
    const found = await cloud.find(request, context.signal)
    if (found === undefined)
      return { description: `VM was not found at provider. Moving forward to node drain. ${steps.drain}` }
    await context.machines.patch(machine, { metadata: { labels: { [nodeLabel]: found.nodeName } } })
    return { description: steps.drain }
  } catch (error) {
    if (!(error instanceof MachineCloudError)) throw error
    return {
      description: `Error occurred with decoding machine error status while getting VM status, aborting without retry. machine code: ${error.message} ${steps.find}`,
      state: 'Failed',
      after: context.durations.retry,
    }
  }
}

/**
 * Returns true if the drain does not wait for pods: by the force label, after the drain timeout, or if the node has not
 * been ready for long.
 */
const isForced = ({ clock, durations, nodes }: ControllerContext, machine: Machine): boolean => {
  const { labels, deletionTimestamp, namespace = '' } = machine.metadata
  const now = clock.now()
  const node = nodes.get(namespace, nodeNameOf(machine))
  return (
    /^(?:1|t|true)$/i.test(labels?.['force-deletion'] ?? '') ||
    now - (parseTimestamp(deletionTimestamp) ?? now) >
      durations.of(machine.spec?.drainTimeout, 'drainTimeout') ||
    (node?.ready === 'Unknown' && now - node.readySince > durations.undrainable)
  )
}

/** Cordons the Node. There are no pods to wait for. */
const drain = async ({ context, machine }: MachineDeletion): Promise<DeletionStep> => {
  const name = nodeNameOf(machine)
  if (name === '')
    return { description: `Skipping drain as nodeName is not a valid one for machine. ${steps.terminate}` }
  const { namespace = '' } = machine.metadata
  const node = context.nodes.get(namespace, name)
  const isUnhealthy = machine.status?.conditions?.some(
    ({ type, status }) => type === 'Ready' && status !== 'True',
  )
  const terminating = isUnhealthy ? 'Unhealthy' : 'ScaleDown'
  if (node) context.nodes.put(namespace, { ...node, unschedulable: true, terminating })
  return isForced(context, machine)
    ? { description: `Force Drain successful. ${steps.detach}` }
    : { description: `Drain successful. ${steps.terminate}` }
}

const detach = async ({ context, machine }: MachineDeletion): Promise<DeletionStep> => {
  const { namespace = '' } = machine.metadata
  const name = nodeNameOf(machine)
  const description = context.nodes.get(namespace, name)
    ? `Node Volumes for node: ${name} are already detached. Moving to VM Deletion. ${steps.terminate}`
    : `Skipping deleteNodeVolAttachments due to - node "${name}" not found. Moving to VM Deletion. ${steps.terminate}`
  return { description, after: 0 }
}

const terminate = async ({ context, cloud, request }: MachineDeletion): Promise<DeletionStep> => {
  try {
    await cloud.remove(request, context.signal)
    return { description: `VM deletion was successful. ${steps.deleteNode}` }
  } catch (error) {
    if (!(error instanceof MachineCloudError)) throw error
    return {
      description: `VM deletion failed due to - ${messageOf(error)}. Aborting operation. ${steps.terminate}`,
      state: 'Failed',
      after: context.durations.longRetry,
    }
  }
}

const deleteNode = async ({ context, machine }: MachineDeletion): Promise<DeletionStep> => {
  const { namespace = '', name } = machine.metadata
  const nodeName = nodeNameOf(machine)
  if (nodeName === '')
    return {
      description: `Label "${nodeLabel}" not present on machine "${name}", continuing deletion flow. ${steps.finalize}`,
    }
  if (context.nodes.get(namespace, nodeName) === undefined)
    return {
      description: `No node object found for "${nodeName}", continuing deletion flow. ${steps.finalize}`,
    }
  context.nodes.remove(namespace, nodeName)
  return { description: `Deletion of Node Object "${nodeName}" is successful. ${steps.finalize}` }
}

const works: Readonly<
  Record<Exclude<keyof typeof steps, 'finalize'>, (deletion: MachineDeletion) => Promise<DeletionStep>>
> = { find, drain, detach, terminate, deleteNode }

/** Returns the current step. The description ends with its text. */
const stepOf = ({ status }: Machine): keyof typeof steps | undefined => {
  if (status?.currentStatus?.phase !== 'Terminating') return undefined
  const names = Object.keys(steps) as (keyof typeof steps)[]
  return names.find(name => status.lastOperation?.description?.includes(steps[name]))
}

/** Runs one step of a deletion. Resolves with the time of the next one. */
export const deleteMachine = async (
  context: ControllerContext,
  machine: Machine,
  cloudOf: () => Promise<Pick<MachineDeletion, 'cloud' | 'request'>>,
): Promise<number | undefined> => {
  const { machines, durations } = context
  if (!machine.metadata.finalizers?.includes(finalizers.object)) return undefined
  const step = stepOf(machine)
  if (step === 'finalize') {
    await machines.setFinalizer(machine, finalizers.object, false)
    return undefined
  }
  const { cloud, request } = await cloudOf()
  const {
    description,
    state = 'Processing',
    after = durations.step,
  } = step === undefined
    ? { description: steps.find }
    : await works[step]({ context, machine, cloud, request })
  const operation = { description, state, type: 'Delete' } as const
  const { name, namespace = '' } = machine.metadata
  const known = machines.get({ name, namespace }) ?? machine
  await machines.writeStatus(
    known,
    statusAfter(context, known, operation, step === undefined ? 'Terminating' : undefined),
  )
  return after
}
