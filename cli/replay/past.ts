import { annotations } from '../../shared/contract/constants.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import type { KubernetesObject } from '../../shared/kubernetes/port.ts'
import { factsOf } from '../../shared/lifecycle/facts.ts'

/**
 * The event that made what an object's status says is there: a reconciliation of the object without its history.
 * Undefined when the status does not say that the cloud was brought to the present spec. A deletion counts as a new
 * generation, though it leaves the spec as it was.
 */
export const pastOf = (event: ExtensionEvent): ExtensionEvent | undefined => {
  const { data } = event
  if (data === undefined) return undefined
  const { lastOperation, generation, deletionTimestamp } = factsOf(data)
  const { observedGeneration } = (data.status ?? {}) as { readonly observedGeneration?: number }
  const madeIt =
    lastOperation?.state === 'Succeeded' && ['Create', 'Reconcile', 'Restore'].includes(lastOperation.type)
  const asItIs = observedGeneration === generation - (deletionTimestamp === undefined ? 0 : 1)
  return madeIt && asItIs ? { ...event, reason: 'annotation', data: atFirst(data) } : undefined
}

const atFirst = (object: KubernetesObject): KubernetesObject => {
  const { deletionTimestamp: _, finalizers: __, annotations: given, ...metadata } = object.metadata
  const { [annotations.step]: ___, ...kept } = given ?? {}
  const { lastOperation, lastError, observedGeneration, conditions, ...status } = (object.status ??
    {}) as Readonly<Record<string, unknown>>
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...kept, [annotations.operation]: 'reconcile' } },
    status,
  }
}
