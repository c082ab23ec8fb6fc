import type { Scalar } from './templated.ts'

/** A value with an address, which identifies the same part in another variant. */
export type Addressed = { readonly address: string } & (
  | { readonly kind: 'scalar'; readonly value: Scalar }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, Addressed])[] }
  | { readonly kind: 'list'; readonly items: readonly Addressed[] }
)

/**
 * Adds addresses to objects or a part of one: the keys of maps, and the identity of each list item.
 *
 * @param whole the same part of the objects with everything enabled
 */
export const addressed = (value: unknown, whole?: Addressed, address = ''): Addressed => {
  if (Array.isArray(value)) {
    const items = whole?.kind === 'list' ? whole.items : []
    const known = items.map(item => keyAt(item, address))
    const grows = whole === undefined ? value.some(isGrown) : known.some(isGrowingKey)
    const keys = distinct(value.map(item => keyIn(known, keyOf(item, grows))))
    return {
      kind: 'list',
      address,
      items: value.map((item, index) => {
        const key = keys[index] ?? ''
        return addressed(item, items[known.indexOf(key)], `${address}/[${key}]`)
      }),
    }
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined)
    const parts = new Map(whole?.kind === 'map' ? whole.entries : [])
    return {
      kind: 'map',
      address,
      entries: entries.map(
        ([key, one]) => [key, addressed(one, parts.get(key), `${address}/${key}`)] as const,
      ),
    }
  }
  return { kind: 'scalar', address, value: value as Scalar }
}

/** Returns the key of an item from its address. */
const keyAt = (item: Addressed, list: string): string => item.address.slice(`${list}/[`.length, -1)

/**
 * A rule with fewer verbs than in the complete objects is the same rule; among several, the one that adds the fewest.
 */
const keyIn = (known: readonly string[], key: string): string => {
  if (known.includes(key) || !key.startsWith('rule|')) return key
  const [, group, resources, verbs = '', named] = key.split('|')
  const [wider] = known
    .map(one => ({ one, fields: one.split('|') }))
    .filter(
      ({ fields }) =>
        fields[1] === group &&
        fields[2] === resources &&
        fields[4] === named &&
        verbs.split(',').every(verb => fields[3]?.split(',').includes(verb)),
    )
    .toSorted((a, b) => a.one.length - b.one.length)
  return wider?.one ?? key
}

/** Returns all addresses, with the values of the scalars. */
export const scalarsByAddress = (node: Addressed): ReadonlyMap<string, Scalar | undefined> =>
  new Map(addressesOf(node))

const addressesOf = (node: Addressed): readonly (readonly [string, Scalar | undefined])[] => {
  switch (node.kind) {
    case 'scalar':
      return [[node.address, node.value]]
    case 'map':
      return [[node.address, undefined], ...node.entries.flatMap(([, value]) => addressesOf(value))]
    case 'list':
      return [[node.address, undefined], ...node.items.flatMap(addressesOf)]
  }
}

/** Numbers duplicates: the second one is `…#1`. */
const distinct = (keys: readonly string[]): readonly string[] => {
  const seen = new Map<string, number>()
  return keys.map(key => {
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    return before === 0 ? key : `${key}#${before}`
  })
}

/** Returns the identity of an item, equal in all variants. */
const keyOf = (item: unknown, grows: boolean): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const { apiVersion, kind, metadata, name, apiGroups } = item as Readonly<Record<string, unknown>>
  if (metadata !== undefined && kind !== undefined) {
    const { name: object, namespace } = metadata as Readonly<Record<string, unknown>>
    return [apiVersion, kind, namespace, object].join(' ')
  }
  if (typeof name === 'string') return name
  return Array.isArray(apiGroups) ? ruleKey(item as AddressedRule, grows) : JSON.stringify(item)
}

interface AddressedRule {
  readonly apiGroups: readonly string[]
  readonly resources?: readonly string[]
  readonly verbs?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/**
 * A rule is identified by its resources; if the number of resources of its extension kinds varies, it is identified
 * without them.
 */
const ruleKey = (
  { apiGroups, resources = [], verbs = [], resourceNames }: AddressedRule,
  grows: boolean,
): string =>
  [
    'rule',
    apiGroups.join(),
    grows && canGrow(apiGroups) && resourceNames === undefined ? '' : resources.join(),
    verbs.join(),
    resourceNames === undefined ? '' : 'named',
  ].join('|')

const canGrow = (groups: readonly string[]): boolean => groups.some(group => growing.has(group))

const isGrown = (item: unknown): boolean => {
  const { apiGroups, resources, resourceNames } = (item ?? {}) as Partial<AddressedRule>
  return (
    Array.isArray(apiGroups) &&
    canGrow(apiGroups) &&
    resourceNames === undefined &&
    (resources?.length ?? 0) > 1
  )
}

const isGrowingKey = (key: string): boolean => /^rule\|[^|]*\|\|/.test(key)

const growing = new Set(['extensions.gardener.cloud', 'admissionregistration.k8s.io'])
