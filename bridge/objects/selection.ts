import type { ExtensionClass } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { Facts } from '../../shared/lifecycle/lifecycle.ts'
import type { ServedObjects } from './served-objects.ts'
import { isInShard, type Shard } from './shard.ts'

/** Which objects this bridge is responsible for; an empty list means all, except for the classes. */
export interface Selection {
  readonly kinds: readonly KindName[]
  /** Values of `spec.type`. */
  readonly types: readonly string[]
  /**
   * Values of `spec.class`; an object without one is of class `shoot` (docs/contract/lifecycle.md#class-and-type).
   */
  readonly classes: readonly ExtensionClass[]
  /** What functions there are: only their objects. Absent: what the kinds, types and classes say. */
  readonly served?: readonly ServedObjects[]
  /** Namespaces of namespaced objects; those without a namespace are not affected. */
  readonly namespaces: readonly string[]
  /** A label selector, evaluated by the API server. */
  readonly labels: string | undefined
  /** Only the objects of this shard; absent: all. */
  readonly shard?: Shard
}

/** Whether an object of a selected kind is selected by type, class, namespace and shard. */
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

/** The namespace to watch, if it is a single one; several are picked from a watch of all. */
export const watchedNamespace = (selection: Selection, namespaced: boolean): string | undefined =>
  namespaced && selection.namespaces.length === 1 ? selection.namespaces[0] : undefined
