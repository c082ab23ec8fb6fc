import { isRecord } from '../../shared/decode/record-of.ts'
import type { Drift } from './drift.ts'

/** The compared parts of a CRD. */
export interface Definition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly scope: string
    readonly versions: readonly {
      readonly name: string
      readonly schema?: unknown
      readonly subresources?: unknown
      readonly additionalPrinterColumns?: readonly unknown[] | undefined
    }[]
  }
}

/** Compares CRDs field by field. Kinds of the groups of `ours` that only `theirs` has are new. */
export const compareDefinitions = (
  ours: readonly Definition[],
  theirs: readonly Definition[],
): readonly Drift[] => {
  const ourFacts = factsByKind(ours)
  const groups = new Set(ours.map(({ spec }) => spec.group))
  const theirFacts = factsByKind(theirs.filter(({ spec }) => groups.has(spec.group)))
  const kinds = [...new Set([...ourFacts.keys(), ...theirFacts.keys()])]
  return kinds.flatMap(kind => {
    const trellis = ourFacts.get(kind)
    const gardener = theirFacts.get(kind)
    if (gardener === undefined)
      return [{ subject: kind, problem: 'missing' as const, trellis: 'a CRD', gardener: '' }]
    if (trellis === undefined)
      return [{ subject: kind, problem: 'new' as const, trellis: '', gardener: 'a CRD' }]
    return compareFacts(kind, trellis, gardener)
  })
}

type DefinitionFacts = ReadonlyMap<string, string>

/** A field that only one side has stands for the fields in it. */
const compareFacts = (
  kind: string,
  trellis: DefinitionFacts,
  gardener: DefinitionFacts,
): readonly Drift[] => {
  const onlyOnOneSide = (path: string) => trellis.has(path) !== gardener.has(path)
  return [...new Set([...trellis.keys(), ...gardener.keys()])].toSorted().flatMap(path => {
    const ours = trellis.get(path)
    const theirs = gardener.get(path)
    if (ours === theirs || onlyOnOneSide(path.replace(/(\.[^.[{]+|\[\]|\{\})$/, ''))) return []
    const problem = theirs === undefined ? 'missing' : ours === undefined ? 'new' : 'different'
    return [{ subject: `${kind} ${path}`, problem, trellis: ours ?? '', gardener: theirs ?? '' } as const]
  })
}

const factsByKind = (definitions: readonly Definition[]): ReadonlyMap<string, DefinitionFacts> =>
  new Map(definitions.map(({ spec }) => [spec.names.kind, factsOf(spec)]))

/** Returns the facts of a CRD by path. Descriptions have no effect and are excluded. */
const factsOf = ({ group, names, scope, versions }: Definition['spec']): DefinitionFacts =>
  new Map([
    ['names', sorted(names)],
    ['group and scope', `${group} ${scope}`],
    ...versions.flatMap(({ name, schema, subresources, additionalPrinterColumns = [] }) => [
      [`${name} subresources`, sorted(subresources ?? {})] as const,
      [`${name} columns`, sorted(additionalPrinterColumns)] as const,
      ...fieldsOf(Object(schema).openAPIV3Schema, '', false),
    ]),
  ])

const fieldsOf = (schema: unknown, path: string, isRequired: boolean): readonly [string, string][] => {
  const {
    description: _,
    properties = {},
    items,
    additionalProperties,
    required = [],
    ...keywords
  } = Object(schema)
  const traits = `${isRequired ? 'required ' : ''}${sorted(keywords)}`
  return [
    [path, traits],
    ...Object.entries(properties).flatMap(([name, inner]) =>
      fieldsOf(inner, `${path}.${name}`, required.includes(name)),
    ),
    ...(items === undefined ? [] : fieldsOf(items, `${path}[]`, false)),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${path}{}`, false) : []),
  ]
}

/** JSON with sorted keys, without descriptions of printer columns. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    isRecord(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([name]) => name !== 'description')
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  )
