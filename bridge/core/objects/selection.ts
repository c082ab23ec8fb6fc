import type { ExtensionClass } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { Facts } from '../../../shared/lifecycle/lifecycle.ts'
import type { ServedObjects } from './served-objects.ts'
import { isInShard, type Shard } from './shard.ts'

/** The objects that this bridge is responsible for; an empty list means all, except for the classes. */
export interface Selection {
  readonly kinds: readonly KindName[]
  /** Values of `spec.type`. */
  readonly types: readonly string[]
  /**
   * Values of `spec.class`; an object without one is of class `shoot` (docs/contract/lifecycle.md#class-and-type).
   */
  readonly classes: readonly ExtensionClass[]
  /** The objects that have a function. Default: all that the kinds, types and classes select. */
  readonly served?: readonly ServedObjects[]
  /** Namespaces of namespaced objects; cluster-scoped objects are not affected. */
  readonly namespaces: readonly string[]
  /** A label selector, evaluated by the API server. */
  readonly labels: string | undefined
  /** Selects only the objects of this shard. Default: all. */
  readonly shard?: Shard
}

/** Returns true if type, class, namespace and shard select an object of a selected kind. */
export const isSelected = (
  selection: Selection,
  kind: KindName,
  facts: Facts,
  namespace: string | undefined,
): boolean => {
  const { types, classes, namespaces, served, shard } = selection
  return (
    (types.length === 0 || types.includes(facts.provider)) &&
    classes.some(name => name === facts.extensionClass) &&
    (served === undefined || served.some(one => isServedBy(one, kind, facts))) &&
    (namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace)) &&
    (shard === undefined || isInShard(shard, facts.uid, namespace))
  )
}

const isServedBy = (
  served: ServedObjects,
  kind: KindName,
  { provider, extensionClass }: Pick<Facts, 'provider' | 'extensionClass'>,
): boolean =>
  served.kind === kind && served.type === provider && served.classes.some(name => name === extensionClass)

/** Returns the namespace to watch if it is the only one; several are filtered from a watch of all. */
export const watchedNamespace = (selection: Selection, namespaced: boolean): string | undefined =>
  namespaced && selection.namespaces.length === 1 ? selection.namespaces[0] : undefined
