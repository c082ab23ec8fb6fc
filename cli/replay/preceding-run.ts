import { annotations } from '../../shared/contract/constants.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'

export interface PrecedingRun {
  /** The first event of the object's life. */
  readonly event: ExtensionEvent
  /** Returns true if the step has created the resources that the event's object shows; more work may be due. */
  readonly isReached: (object: KubernetesObject | undefined) => boolean
}

/**
 * Returns the run that created the resources in an object's status: a reconciliation of the object without its history,
 * or its first steps. Returns undefined if the status does not show that the cloud matches the current spec, or was on
 * the way there. A deletion counts as a new generation, though it does not change the spec.
 */
export const precedingRunOf = (event: ExtensionEvent): PrecedingRun | undefined => {
  const { data } = event
  if (data === undefined) return undefined
  const { lastOperation, generation, deletionTimestamp, step } = factsOf(data)
  const { observedGeneration } = (data.status ?? {}) as { readonly observedGeneration?: number }
  const first = { ...event, operation: 'reconcile', reason: 'annotation', data: atFirst(data) } as const
  const toTheEnd = { event: first, isReached: () => false }
  const type = lastOperation?.type
  const recordedKeys = stateKeys(data)
  if (lastOperation === undefined || type === 'Migrate')
    return event.operation === 'restore' && recordedKeys.length > 0 ? toTheEnd : undefined
  if (type === 'Delete') return undefined
  if (lastOperation.state === 'Succeeded')
    return observedGeneration === generation - (deletionTimestamp === undefined ? 0 : 1)
      ? toTheEnd
      : undefined
  // An object that was ready before had an earlier spec, which is unknown.
  if (type !== 'Create' || (step?.generation ?? generation) !== generation) return undefined
  // An object without state may show its wait instead.
  const waitsFor = recordedKeys.length === 0 ? step?.waitsFor : undefined
  if (recordedKeys.length === 0 && waitsFor === undefined) return undefined
  return {
    event: first,
    isReached: object => {
      if (waitsFor !== undefined) return object !== undefined && factsOf(object).step?.waitsFor === waitsFor
      const made = new Set(object === undefined ? [] : stateKeys(object))
      return recordedKeys.every(key => made.has(key))
    },
  }
}

/**
 * Returns the names in the state, except for those of unfinished steps: waits and times. A Worker lists its machine
 * deployments.
 */
const stateKeys = (object: KubernetesObject): readonly string[] => {
  const { state, machineDeployments = [] } = (object.status ?? {}) as {
    readonly state?: { readonly data?: object }
    readonly machineDeployments?: readonly { readonly name: string }[]
  }
  return [
    ...Object.keys(state?.data ?? {}).filter(key => !/^(?:Waiting|Made)\//.test(key)),
    ...machineDeployments.map(({ name }) => name),
  ]
}

const atFirst = (object: KubernetesObject): KubernetesObject => {
  const { deletionTimestamp: _, finalizers: __, annotations: given, ...metadata } = object.metadata
  const { [annotations.step]: ___, ...kept } = given ?? {}
  const {
    lastOperation,
    lastError,
    observedGeneration,
    conditions,
    state,
    providerStatus,
    machineDeployments,
    machineDeploymentsLastUpdateTime,
    inPlaceUpdates,
    ...status
  } = (object.status ?? {}) as Readonly<Record<string, unknown>>
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...kept, [annotations.operation]: 'reconcile' } },
    status,
  }
}
