import type { Scalar } from './union-of.ts'

/** A value with the address by which the same part of another variant is known. */
export type Node =
  | { readonly kind: 'scalar'; readonly address: string; readonly value: Scalar }
  | { readonly kind: 'map'; readonly address: string; readonly entries: readonly (readonly [string, Node])[] }
  | { readonly kind: 'list'; readonly address: string; readonly items: readonly Node[] }

/** Objects, or a part of one, with addresses. */
export const nodeOf = (value: unknown, address = ''): Node => {
  if (Array.isArray(value)) {
    const keys = keysOf(value)
    return {
      kind: 'list',
      address,
      items: value.map((item, index) => nodeOf(item, `${address}/[${keys[index]}]`)),
    }
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined)
    return {
      kind: 'map',
      address,
      entries: entries.map(([key, one]) => [key, nodeOf(one, `${address}/${key}`)] as const),
    }
  }
  return { kind: 'scalar', address, value: value as Scalar }
}

/** The addresses of a variant, with its scalars. Throws where the whole lacks one: it would be lost. */
export const identify = (whole: Node, variant: Node): ReadonlyMap<string, Scalar | undefined> => {
  const known = new Map(addressesOf(whole))
  const found = new Map(addressesOf(variant))
  for (const address of found.keys())
    if (!known.has(address)) throw new Error(`with everything there is no ${address}`)
  return found
}

const addressesOf = (node: Node): readonly (readonly [string, Scalar | undefined])[] => {
  switch (node.kind) {
    case 'scalar':
      return [[node.address, node.value]]
    case 'map':
      return [[node.address, undefined], ...node.entries.flatMap(([, value]) => addressesOf(value))]
    case 'list':
      return [[node.address, undefined], ...node.items.flatMap(addressesOf)]
  }
}

/** By what an item of a list is known: each the same in all variants. The second of two alike is `…#1`. */
const keysOf = (items: readonly unknown[]): readonly string[] => {
  const seen = new Map<string, number>()
  return items.map(item => {
    const key = keyOf(item)
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    return before === 0 ? key : `${key}#${before}`
  })
}

const keyOf = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const { apiVersion, kind, metadata, name, apiGroups, resources } = item as Readonly<Record<string, unknown>>
  if (metadata !== undefined && kind !== undefined) {
    const { name: object, namespace } = metadata as Readonly<Record<string, unknown>>
    return [apiVersion, kind, namespace, object].join(' ')
  }
  if (typeof name === 'string') return name
  if (Array.isArray(apiGroups)) return ruleKey(item as Rule, Array.isArray(resources) ? resources : [])
  return JSON.stringify(item)
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly verbs?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** Extension kinds and registrations are lists that grow with the items; every other rule is known by its resources. */
const ruleKey = (
  { apiGroups, verbs = [], resourceNames }: Rule,
  resources: readonly string[],
): string => {
  const grows = apiGroups.some(group => growing.has(group)) && resourceNames === undefined
  return [
    apiGroups.join(),
    grows ? '' : resources.join(),
    verbs.join(),
    resourceNames === undefined ? '' : 'named',
  ].join(' ')
}

const growing = new Set(['extensions.gardener.cloud', 'admissionregistration.k8s.io'])
