import { createHash } from 'node:crypto'
import { isRecord, type Json } from '../json.ts'

/** A thing of a world: a row of a cloud's table, or an object of the seed. */
export interface Row {
  /** `ec2 subnets`, `Secret shoot--garden--rose/ca`. */
  readonly place: string
  readonly value: Json
  /** True if the order of lists has no meaning. */
  readonly isUnordered?: boolean
}

/**
 * Ids and other values that differ in each world: ids of AWS, PEM blocks, names with a checksum, uids, addresses that AWS
 * allocates. A first group is the part that is kept.
 */
const ids = [
  /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n?/g,
  /\b(eipalloc|eipassoc|vpc-cidr-assoc|subnet-cidr-assoc|[a-z]{1,16})-[0-9a-f]{17}\b/g,
  /\b(A[A-Z]{3})[A-Z0-9]{17}\b/g,
  // The simulator's public addresses: RFC 2544.
  /\b()198\.1[89]\.\d+\.\d+\b/g,
  /\b()[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
] as const
/** Lists that are sorted by values that differ in each world. */
const unordered: ReadonlySet<string> = new Set(['egressCIDRs'])
const times = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

const firstTime = Date.parse('2020-01-01T00:00:00Z')
const lastTime = Date.parse('2040-01-01T00:00:00Z')

/**
 * Returns one line per row. Ids are replaced by the position of their resource in the world: equal worlds have equal
 * lines, and a reference to a wrong resource of the same kind makes lines differ.
 */
export const canonicalLines = (rows: readonly Row[]): readonly string[] => {
  const parts = rows.map(row => ({ row, ids: idsIn(row) }))
  const known = new Set(parts.flatMap(part => [...part.ids]))
  let names: ReadonlyMap<string, string> = new Map()
  // Each round includes neighbours that are one reference further.
  for (let round = 0; round < rounds; round++) {
    const around = new Map<string, string[]>([...known].map(id => [id, []]))
    for (const part of parts)
      for (const id of part.ids)
        around.get(id)?.push(lineOf(part.row, other => (other === id ? '@' : (names.get(other) ?? ''))))
    names = new Map([...around].map(([id, lines]) => [id, digest(lines.sort().join('\n'))]))
  }
  return rows.map(row => lineOf(row, id => names.get(id) ?? '')).sort()
}

/** Returns one line per row, with ids replaced by their prefix alone. */
export const blankLines = (rows: readonly Row[]): readonly string[] =>
  rows.map(row => lineOf(row, () => '')).sort()

const rounds = 3

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

const lineOf = ({ place, value, isUnordered = false }: Row, nameOf: (id: string) => string): string =>
  `${renamed(place, nameOf)} ${textOf(value, isUnordered, nameOf)}`

const textOf = (value: Json, isUnordered: boolean, nameOf: (id: string) => string): string => {
  if (typeof value === 'string') return JSON.stringify(renamed(value, nameOf))
  if (typeof value === 'number') return value > firstTime && value < lastTime ? '<time>' : String(value)
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => textOf(item, isUnordered, nameOf))
    return `[${(isUnordered ? items.sort() : items).join(', ')}]`
  }
  if (!isRecord(value)) return String(value)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(
      ([name, field]) =>
        `${renamed(name, nameOf)}: ${textOf(field, isUnordered || unordered.has(name), nameOf)}`,
    )
  return `{${fields.sort().join(', ')}}`
}

const renamed = (text: string, nameOf: (id: string) => string): string =>
  ids
    .reduce<string>(
      (all, pattern) => all.replace(pattern, (id, kind: string) => `<${kind} ${nameOf(id)}>`),
      text,
    )
    .replace(times, '<time>')

const idsIn = (row: Row): ReadonlySet<string> => {
  const found = new Set<string>()
  lineOf(row, id => {
    found.add(id)
    return ''
  })
  return found
}
