import { isForceDeletionConfirmed } from '../../contract/cluster-facts.ts'
import { annotations, finalizerOf, type OperationType } from '../../contract/constants.ts'
import { type KindName, kinds } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { Backend } from '../backend.ts'

import type { Facts } from './facts.ts'
import { kindRules } from './kind-rules.ts'

/** The branch of the backend to run and the type for `lastOperation`, or the reason why none runs. */
export type Dispatch =
  | {
      readonly kind: 'run'
      readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
      readonly type: OperationType
    }
  | { readonly kind: 'stop'; readonly why: 'migrated' | 'nothing-to-delete' }

/** Returns the dispatch (docs/contract/lifecycle.md#dispatch), with the early end of a delete. */
export const dispatch = (kind: KindName, facts: Facts, ownFinalizer?: string): Dispatch => {
  const rules = kindRules[kind]
  const type = operationType(facts)
  const own = hasOwnFinalizer(kind, facts.finalizers, ownFinalizer)
  if (rules.migrates) {
    if (type !== 'Migrate' && type !== 'Restore' && isMigrated(kind, facts)) {
      return { kind: 'stop', why: 'migrated' }
    }
    if (type === 'Migrate') return { kind: 'run', operation: 'migrate', type }
  }
  if (facts.deletionTimestamp !== undefined) {
    if (!own) return { kind: 'stop', why: 'nothing-to-delete' }
    return { kind: 'run', operation: 'delete', type: rules.deleteType === 'computed' ? type : 'Delete' }
  }
  if (rules.migrates && type === 'Restore') return { kind: 'run', operation: 'restore', type }
  return { kind: 'run', operation: 'reconcile', type }
}

/** Returns true for an object that was migrated; this seed ignores it (docs/contract/lifecycle.md#dispatch). */
export const isMigrated = (kind: KindName, facts: Facts): boolean =>
  kindRules[kind].migrates &&
  facts.lastOperation?.type === 'Migrate' &&
  facts.lastOperation.state === 'Succeeded'

/** Returns the operation type (docs/contract/lifecycle.md#operation-type): the first matching rule. */
export const operationType = (
  facts: Pick<Facts, 'requested' | 'deletionTimestamp' | 'lastOperation'>,
): OperationType => {
  const { requested, deletionTimestamp, lastOperation } = facts
  if (requested === 'migrate') return 'Migrate'
  if (deletionTimestamp !== undefined) return 'Delete'
  if (requested === 'restore') return 'Restore'
  if (lastOperation === undefined) return 'Create'
  if (lastOperation.state !== 'Succeeded') {
    const { type } = lastOperation
    if (type === 'Create' || type === 'Migrate' || type === 'Restore') return type
  }
  return 'Reconcile'
}

/**
 * Returns the finalizer of a backend for an object (docs/contract/lifecycle.md#finalizers). An Extension chooses its
 * suffix; the default is the object's type, which only one function has and which never changes.
 */
export const ownFinalizer = (
  backend: Pick<Backend, 'kind' | 'finalizerSuffix'>,
  { provider }: Pick<Facts, 'provider'>,
): string =>
  backend.kind === 'Extension'
    ? kinds.Extension.finalizer(backend.finalizerSuffix ?? provider)
    : kinds[backend.kind].finalizer()

/**
 * Returns true if the kind owns one of the finalizers. Each extension chooses an Extension's suffix: if it is unknown,
 * any finalizer with the extensions' prefix counts.
 */
export const hasOwnFinalizer = (
  kind: KindName,
  finalizers: readonly string[],
  own: string | undefined = kind === 'Extension' ? undefined : kinds[kind].finalizer(),
): boolean =>
  finalizers.some(finalizer =>
    own === undefined ? finalizer.startsWith(finalizerOf('')) : finalizer === own,
  )

/**
 * Returns the finalizer that this operation must add before any external change
 * (docs/contract/lifecycle.md#create-and-reconcile, docs/contract/lifecycle.md#restore).
 */
export const finalizerToAdd = (
  backend: Backend,
  facts: Facts,
  operation: 'reconcile' | 'delete' | 'migrate' | 'restore',
): string | undefined => {
  const own = ownFinalizer(backend, facts)
  if (operation === 'delete' || operation === 'migrate' || facts.finalizers.includes(own)) return undefined
  return own
}

/** Returns true for a forced delete (docs/contract/lifecycle.md#force-delete). */
export const isForced = (kind: KindName, object: KubernetesObject, cluster: Cluster | undefined): boolean => {
  switch (kindRules[kind].forceDelete) {
    case 'shoot annotation':
      return cluster !== undefined && isForceDeletionConfirmed(cluster)
    case 'own annotation':
      return object.metadata.annotations?.[annotations.forceDeletionConfirmation] === 'true'
    case 'none':
      return false
  }
}

/** Maximum attempts of the actuator in a forced delete. With the backoff they take about two minutes. */
export const mostForcedTries = 8
