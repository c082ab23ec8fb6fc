import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type DueWork, dueWorkOf, factsOf } from '../../shared/lifecycle/lifecycle.ts'

/**
 * Returns why an object is not settled, by the decision of the lifecycle. Undefined: its last operation has succeeded
 * for its current spec, and nothing is requested. Then a difference between its plan and its cloud comes from the cloud,
 * or from another version of the function.
 *
 * @param isClaimed true if a step of Trellis has reconciled it
 */
export const unsettledOf = (
  kind: KindName,
  object: KubernetesObject,
  isClaimed: boolean,
  now: Timestamp,
): string | undefined => {
  const facts = factsOf(object)
  const { deletionTimestamp, requested, lastOperation, generation } = facts
  if (deletionTimestamp !== undefined) return 'its deletion is requested'
  if (requested === 'wait-for-state') return 'it waits for its state from another seed'
  // A paused object can be settled: its cloud is compared, too.
  const work = workText(dueWorkOf(kind, { ...facts, pause: undefined }, now), object)
  if (work !== undefined) return work
  if (lastOperation?.type === 'Migrate') return 'it was migrated to another seed'
  const { observedGeneration } = recordOf(object.status)
  if (observedGeneration !== generation)
    return `generation ${generation} of its spec is not applied yet (observed: ${observedGeneration ?? 'none'}), and waits for a request to reconcile`
  return isClaimed ? undefined : 'Trellis has never reconciled it'
}

const workText = (due: DueWork, object: KubernetesObject): string | undefined => {
  if (due.kind === 'none') return undefined
  const { lastOperation } = factsOf(object)
  if (due.kind === 'later' && due.held) return `a step of its ${due.operation} is running`
  switch (lastOperation?.state) {
    case 'Succeeded':
      // A step that is scheduled after a success renews something, and is no sign of a change.
      return due.kind === 'later' ? undefined : `its ${due.operation} is requested`
    case 'Error':
    case 'Failed':
      return `its last operation failed: ${stringOf(recordOf(recordOf(object.status).lastError).description)}`
    default:
      return `its ${due.operation} has not finished`
  }
}
