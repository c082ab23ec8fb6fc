import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Machine } from '../../contract/objects.ts'
import { patchObject } from '../../kubernetes/ensure-object.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import type { WorkerStep } from './worker-step.ts'

const label = 'force-deletion'

/**
 * Labels machines so that the machine controller deletes them without draining. Skips machines that are already gone.
 */
export const forceDeletion = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  machines: readonly Machine[],
): Promise<void> => {
  const unmarked = machines.filter(({ metadata }) => metadata.labels?.[label] !== 'True')
  await atMost(writesAtOnce, unmarked, machine =>
    patchObject(kubernetes, machineKinds.Machine.resource, machine, {
      metadata: { labels: { [label]: 'True' } },
    }),
  )
}
