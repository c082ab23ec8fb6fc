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
 * Values that differ in each world: ids of AWS, keys and certificates, checksums, uids, addresses that AWS allocates. The
 * first group is the kind of an id.
 */
const idPatterns: readonly RegExp[] = [
  /-----BEGIN (?<kind>[A-Z ]+)-----[^-]+-----END [A-Z ]+-----\n?/,
  // The same in base64.
  /LS0tLS1CRUdJTi[A-Za-z0-9+/=]+/,
  /\b(?:eipalloc|eipassoc|vpc-cidr-assoc|subnet-cidr-assoc|[a-z]{1,16})-[0-9a-f]{17}\b/,
  /\bA[A-Z]{3}[A-Z0-9]{17}\b/,
  // The simulator's public addresses: RFC 2544.
  /\b198\.1[89]\.\d+\.\d+\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/,
  // Generated passwords, and their hashes.
  /\b[A-Za-z0-9]{32}\b/,
  /\{SHA\}[A-Za-z0-9+/=]{28}/,
  // Checksums of Secrets: whole, in labels, and at the end of names.
  /\b[0-9a-f]{63,64}\b/,
  /\b\d{16,20}\b/,
  /(?<=-)[0-9a-f]{8}(?![0-9a-z])/,
]
const ids = new RegExp(idPatterns.map(({ source }) => source.replace('(?<kind>', '(?:')).join('|'), 'g')
const times = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b(?:17|20)\d{8}\b/g
/** Lists that are sorted by values that differ in each world. */
const unordered: ReadonlySet<string> = new Set(['egressCIDRs'])

const firstTime = Date.parse('2020-01-01T00:00:00Z')
const lastTime = Date.parse('2040-01-01T00:00:00Z')

/**
 * Returns one line per row. Ids are replaced by names that follow from the places in which they are: equal worlds have
 * equal lines, and a reference to a wrong resource of the same kind makes lines differ.
 */
export const canonicalLines = (rows: readonly Row[]): readonly string[] => {
  let names: ReadonlyMap<string, string> = new Map()
  const nameOf = (id: string) => names.get(id) ?? ''
  // Each round includes neighbours that are one reference further.
  for (let round = 0; round < rounds; round++) {
    const places = new Map<string, string[]>()
    for (const row of rows) {
      const found: (readonly [id: string, where: string])[] = []
      const line = digest(lineOf(row, { nameOf, note: (id, where) => found.push([id, where]) }))
      for (const [id, where] of found) places.set(id, [...(places.get(id) ?? []), `${line} ${where}`])
    }
    names = new Map([...places].map(([id, where]) => [id, digest(where.sort().join())]))
  }
  return rows.map(row => lineOf(row, { nameOf })).sort()
}

/** Returns one line per row, with ids replaced by their kind alone. */
export const blankLines = (rows: readonly Row[]): readonly string[] =>
  rows.map(row => lineOf(row, { nameOf: () => '' })).sort()

const rounds = 3

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

interface Naming {
  readonly nameOf: (id: string) => string
  /** Called for each id, with the text of its object. Lists without order may hold equal objects in any order. */
  readonly note?: (id: string, where: string) => void
}

const lineOf = ({ place, value, isUnordered = false }: Row, naming: Naming): string => {
  noteIds(place, 'place', naming)
  return `${renamed(place, naming)} ${textOf(value, isUnordered, naming)}`
}

const textOf = (value: Json, isUnordered: boolean, naming: Naming): string => {
  if (typeof value === 'string') return `"${renamed(value, naming)}"`
  if (typeof value === 'number') return value > firstTime && value < lastTime ? '<time>' : String(value)
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => textOf(item, isUnordered, naming))
    return `[${(isUnordered ? items.sort() : items).join(', ')}]`
  }
  if (!isRecord(value)) return String(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const texts = fields.map(
    ([name, field]) =>
      `${renamed(name, naming)}: ${textOf(field, isUnordered || unordered.has(name), naming)}`,
  )
  const text = `{${texts.sort().join(', ')}}`
  if (naming.note !== undefined) {
    const object = digest(text)
    for (const [name, field] of fields) {
      noteIds(name, object, naming)
      for (const item of [field].flat())
        if (typeof item === 'string') noteIds(item, `${object} ${name}`, naming)
    }
  }
  return text
}

const noteIds = (text: string, where: string, { note = () => {} }: Naming): void => {
  for (const [position, [id]] of [...text.replace(times, '<time>').matchAll(ids)].entries())
    note(id, `${where} ${position}`)
}

const renamed = (text: string, { nameOf }: Naming): string =>
  text
    .replace(times, '<time>')
    .replace(ids, id => `<${[kindOf(id), nameOf(id)].filter(part => part !== '').join(' ')}>`)

const kindOf = (id: string): string =>
  /^-----BEGIN ([A-Z ]+)|^([a-z-]+)-[0-9a-f]{17}$/.exec(id)?.slice(1).find(Boolean) ?? 'id'
