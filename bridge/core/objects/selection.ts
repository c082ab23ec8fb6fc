import { type ExtensionClass, extensionClasses } from '../../../shared/contract/constants.ts'
import { type KindName, kindNames } from '../../../shared/contract/kinds.ts'
import type { Facts } from '../../../shared/lifecycle/lifecycle.ts'
import { hashOf } from '../hash-of.ts'

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

/** The part of the objects that a bridge is responsible for, if several bridges share them. */
export interface Shard {
  /** 0 ≤ index < of. */
  readonly index: number
  readonly of: number
  /** The hashed value: the object's uid, or its namespace, so that all objects of a shoot belong to one bridge. */
  readonly by: 'uid' | 'namespace'
}

/** Returns true if an object is in the shard. An object without a namespace is hashed by its uid. */
export const isInShard = ({ index, of, by }: Shard, uid: string, namespace: string | undefined): boolean =>
  mixedHashOf(by === 'uid' ? uid : (namespace ?? uid)) % of === index

/** One more mixing round: without it, the low bits, which the remainder uses, are uneven. */
const mixedHashOf = (text: string): number => {
  let hash = hashOf(text)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Objects that a function serves. */
export interface ServedObjects {
  readonly kind: KindName
  /** `spec.type`. */
  readonly type: string
  /** Values of `spec.class`. */
  readonly classes: readonly ExtensionClass[]
}

/**
 * Reads `DNSRecord/acme-dns` (of class shoot) and `DNSRecord/acme-dns/shoot+seed`. Throws a TypeError that quotes any
 * other text.
 */
export const parseServedObjects = (text: string): ServedObjects => {
  const [given, type, classes = 'shoot', ...more] = text.split('/')
  const kind = kindNames.find(name => name === given)
  const read = classes.split('+').map(name => extensionClasses.find(known => known === name))
  const named = read.filter(name => name !== undefined)
  if (
    kind === undefined ||
    type === undefined ||
    type === '' ||
    named.length < read.length ||
    more.length > 0
  )
    throw new TypeError(
      `expected Kind/type or Kind/type/class+class such as DNSRecord/acme-dns/shoot+seed, found ${text}`,
    )
  return { kind, type, classes: named }
}

/** Formats the text that `parseServedObjects` reads. */
export const formatServedObjects = ({ kind, type, classes }: ServedObjects): string =>
  [kind, type, ...(classes.join() === 'shoot' ? [] : [classes.join('+')])].join('/')

/** The types of each kind that have a function. */
export interface Served {
  types(kind: KindName): readonly string[]
  /** True if these are all types; false if they are only the ones seen so far. */
  readonly complete: boolean
  /** A step has claimed an object of this type. */
  note(kind: KindName, type: string): void
}

/** All types, by kind; an absent kind has no types. */
export type ServedTypes = Partial<Readonly<Record<KindName, readonly string[]>>>

/** The number of types remembered for a kind; a seed has a handful. */
const mostTypes = 32

/** The types with a function: the known ones, or else those learned from objects that a step has claimed. */
export const createServed = (known?: ServedTypes): Served => {
  if (known !== undefined) return { complete: true, types: kind => known[kind] ?? [], note: () => undefined }
  const seen = new Map<KindName, Set<string>>()
  return {
    complete: false,
    types: kind => [...(seen.get(kind) ?? [])],
    note: (kind, type) => {
      const types = seen.get(kind) ?? new Set()
      if (types.size < mostTypes) seen.set(kind, types.add(type))
    },
  }
}
