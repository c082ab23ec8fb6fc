import type { MachineClass } from '../../../shared/contract/objects.ts'
import type { ControllerContext } from '../context.ts'
import { secretDataOf } from '../machines/machine-request.ts'

const collect = async (
  context: ControllerContext,
  machineClass: MachineClass,
  isPaused: () => boolean,
): Promise<void> => {
  const { machines, signal } = context
  const { namespace = '' } = machineClass.metadata
  const cloud = context.cloudOf(machineClass)
  const secret = await secretDataOf(context, machineClass)
  for (const [providerId, name] of await cloud.list(machineClass, secret, signal)) {
    // A migration may have begun meanwhile. It deletes Machines but no instances.
    if (isPaused()) return
    const machine = machines.get({ namespace, name })
    // A Machine in creation does not know its instance yet.
    const isKnown = machine && [undefined, providerId].includes(machine.spec?.providerID)
    if (!isKnown) await cloud.remove({ name, providerId, machineClass, secret }, signal)
  }
}

/**
 * Removes the instances without a Machine. If the instances of a class cannot be listed, the collection ends for all
 * later classes too, as in the machine-controller-manager.
 */
export const collectOrphans = async (
  context: ControllerContext,
  isPaused: (namespace: string) => boolean,
): Promise<void> => {
  for (const machineClass of context.classes.all()) {
    const isOver = () => isPaused(machineClass.metadata.namespace ?? '')
    if (!isOver()) await collect(context, machineClass, isOver)
  }
}
