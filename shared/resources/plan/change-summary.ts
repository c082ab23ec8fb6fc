import { isDeepStrictEqual } from 'node:util'

/** Returns the value in JSON without undefined and null fields. */
export const comparable = (value: unknown): unknown =>
  value && JSON.parse(JSON.stringify(value, (_, field) => field ?? undefined))

/**
 * Describes the changes between two forms of an object in one sentence. Undefined: one sentence is not enough.
 *
 * @param shown the second form without secrets
 */
export const changeSummary = (
  [before, after]: readonly [unknown, unknown],
  shown: unknown,
): string | undefined => {
  const isAll = (isOfThem: IsField) => isDeepStrictEqual(without(before, isOfThem), without(after, isOfThem))
  if (isAll(isChecksum)) {
    const [past, wanted] = [fieldsOf(before, isChecksum), fieldsOf(after, isChecksum)]
    const changed = [...new Set([...past.keys(), ...wanted.keys()])].filter(
      name => !isDeepStrictEqual(past.get(name), wanted.get(name)),
    )
    return `its pods restart: new ${changed.join(', ')}`
  }
  if (isAll(isBundle)) {
    const trusted = [...fieldsOf(shown, isBundle).values()].flat()
    return `it trusts different certificates: ${[...new Set(trusted)].join(', ')}`
  }
  return undefined
}

type IsField = (name: string) => boolean

const isChecksum: IsField = name => name.startsWith('checksum/')
const isBundle: IsField = name => name === 'caBundle'

const without = (value: unknown, isField: IsField): unknown =>
  comparable(JSON.parse(JSON.stringify(value ?? null), (name, field) => (isField(name) ? undefined : field)))

/** Returns the values of all matching fields at any depth. */
const fieldsOf = (value: unknown, isField: IsField): ReadonlyMap<string, readonly unknown[]> => {
  const found = new Map<string, unknown[]>()
  JSON.stringify(value, (name, field) => {
    if (isField(name)) found.set(name, [...(found.get(name) ?? []), field])
    return field
  })
  return found
}
