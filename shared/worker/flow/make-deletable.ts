import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineClass } from '../../contract/objects.ts'
import { patchObject } from '../../kubernetes/ensure-object.ts'
import { replacement } from '../../kubernetes/merge-patch.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import type { MachineProvider } from '../provider.ts'
import type { WorkerStep } from './worker-step.ts'

/**
 * Changes classes that the machine controller refuses, so that it can delete their machines. It also checks a class
 * before a deletion. Call it only for classes that create no more machines.
 */
export const makeDeletable = async (
  { deletable }: Pick<MachineProvider, 'deletable'>,
  { kubernetes, log }: Pick<WorkerStep, 'kubernetes' | 'log'>,
  classes: readonly MachineClass[],
): Promise<void> => {
  await atMost(writesAtOnce, classes, async machineClass => {
    const { metadata, providerSpec } = machineClass
    const accepted = deletable?.(providerSpec)
    if (accepted === undefined) return
    const patch = { providerSpec: replacement(providerSpec, accepted) }
    const changed = await patchObject(kubernetes, machineKinds.MachineClass.resource, machineClass, patch)
    if (changed === undefined) return
    const { namespace, name } = metadata
    log.info('machine class changed to make its machines deletable', {
      object: `${namespace}/${name}`,
    })
  })
}
