import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Machine } from '../../contract/objects.ts'
import { KubernetesError } from '../../kubernetes/kubernetes.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import type { WorkerStep } from './worker-step.ts'

const label = 'force-deletion'

/** Lets the machine controller delete machines without draining them. One that is gone by now is none. */
export const forceDeletion = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  machines: readonly Machine[],
): Promise<void> => {
  const unmarked = machines.filter(({ metadata }) => metadata.labels?.[label] !== 'True')
  await atMost(writesAtOnce, unmarked, async ({ metadata: { name, namespace = '', uid } }) => {
    try {
      const patch = { metadata: { uid, labels: { [label]: 'True' } } }
      await kubernetes.patch(machineKinds.Machine.resource, { name, namespace }, patch)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  })
}

/** 409: another one has its name, which its uid tells. */
const isGone = (error: unknown): boolean =>
  error instanceof KubernetesError && (error.status === 404 || error.status === 409)
