import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineClass } from '../../contract/objects.ts'
import { KubernetesError } from '../../kubernetes/kubernetes.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import { replacement } from '../objects/merge-patch.ts'
import type { MachineProvider } from '../provider.ts'
import type { WorkerStep } from './worker-step.ts'

/**
 * Changes classes that the machine controller refuses, so that it can delete their machines. It also checks a class before a
 * deletion. Call it only for classes that create no more machines.
 */
export const makeDeletable = async (
  { deletable }: Pick<MachineProvider, 'deletable'>,
  { kubernetes, log }: Pick<WorkerStep, 'kubernetes' | 'log'>,
  classes: readonly MachineClass[],
): Promise<void> => {
  await atMost(writesAtOnce, classes, async ({ metadata: { name, namespace = '', uid }, providerSpec }) => {
    const accepted = deletable?.(providerSpec)
    if (accepted === undefined) return
    const patch = { metadata: { uid }, providerSpec: replacement(providerSpec, accepted) }
    try {
      await kubernetes.patch(machineKinds.MachineClass.resource, { name, namespace }, patch)
      log.info('machine class changed, so that its machines can be deleted', { namespace, name })
    } catch (error) {
      if (!isGone(error)) throw error
    }
  })
}

/** The API server answers 409 if another class has the name by now, because the uid differs. */
const isGone = (error: unknown): boolean =>
  error instanceof KubernetesError && (error.status === 404 || error.status === 409)
