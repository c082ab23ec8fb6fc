import { type Clock, formatSeconds } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'

const operationOf = { migrate: 'Migrate', restore: 'Restore', reconcile: 'Reconcile' } as const

/** Does the requested operation of an object as its primary controller: consumes the request, and succeeds at once. */
export const actAsPrimary = async (
  kubernetes: Kubernetes,
  kind: KindName,
  key: ObjectKey,
  clock: Pick<Clock, 'now'>,
): Promise<void> => {
  const { resource } = kinds[kind]
  const object = await kubernetes.get(resource, key)
  if (object === undefined) return
  const { requested, lastOperation, deletionTimestamp, generation } = factsOf(object)
  if (requested === undefined || requested === 'wait-for-state' || deletionTimestamp !== undefined) return
  await kubernetes.patch(resource, key, { metadata: { annotations: { [annotations.operation]: null } } })
  const status = {
    observedGeneration: generation,
    lastOperation: {
      type: lastOperation === undefined && requested === 'reconcile' ? 'Create' : operationOf[requested],
      state: 'Succeeded',
      progress: 100,
      description: 'The primary controller of this seed has succeeded',
      lastUpdateTime: formatSeconds(clock.now()),
    },
  }
  await kubernetes.patch(resource, key, { status }, { subresource: 'status' })
}
