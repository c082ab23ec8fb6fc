import { finalizerOf } from '../../contract/constants.ts'
import { type KindName, kinds } from '../../contract/kinds.ts'
import type { Backend } from '../backend.ts'
import type { Facts } from './facts.ts'

/** The finalizer of a backend (docs/contract/lifecycle.md#finalizers); an Extension chooses its suffix. */
export const ownFinalizer = (backend: Pick<Backend, 'kind' | 'type' | 'finalizerSuffix'>): string =>
  backend.kind === 'Extension'
    ? kinds.Extension.finalizer(backend.finalizerSuffix ?? backend.type)
    : kinds[backend.kind].finalizer()

/**
 * Whether one of the finalizers is this kind's own. An Extension's suffix is chosen by each extension: where it is not
 * known, any finalizer of the extensions' prefix counts.
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
 * The finalizer that this operation still has to add, before anything happens outside
 * (docs/contract/lifecycle.md#create-and-reconcile, docs/contract/lifecycle.md#restore).
 */
export const finalizerToAdd = (
  backend: Backend,
  facts: Facts,
  operation: 'reconcile' | 'delete' | 'migrate' | 'restore',
): string | undefined => {
  const own = ownFinalizer(backend)
  if (operation === 'delete' || operation === 'migrate' || facts.finalizers.includes(own)) return undefined
  return own
}
