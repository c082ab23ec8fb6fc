import { type ControllerContext, finalizers, nodeLabel } from '../context.ts'
import { createMachine } from './create-machine.ts'
import { deleteMachine } from './delete-machine.ts'
import { checkHealth } from './machine-health.ts'
import { machineRequest } from './machine-request.ts'

/** Runs one reconcile step of a Machine. Resolves with the time of the next one. */
export const reconcileMachine = async (
  context: ControllerContext,
  id: string,
): Promise<number | undefined> => {
  const found = context.machines.byId(id)
  if (found === undefined) return undefined
  if (found.metadata.deletionTimestamp !== undefined)
    return deleteMachine(context, found, () => machineRequest(context, found))
  const machine = await context.machines.setFinalizer(found, finalizers.object, true)
  const { namespace = '', labels } = machine.metadata
  const machineClass = context.classes.get({ name: machine.spec?.class?.name ?? '', namespace })
  // No machine is created before its class has the finalizer
  // (docs/contract/workers.md#finalizers-of-the-machine-controller).
  if (!machineClass?.metadata.finalizers?.includes(finalizers.object)) return undefined
  const phase = machine.status?.currentStatus?.phase
  if (machine.spec?.providerID === undefined || phase === undefined || phase === 'CrashLoopBackOff')
    return createMachine(context, machine, await machineRequest(context, machine))
  return labels?.[nodeLabel] === undefined ? undefined : checkHealth(context, machine)
}
