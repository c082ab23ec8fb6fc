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
 * Returns one line per row. Ids are replaced by the position of their resource in the world: equal worlds have equal
 * lines, and a reference to a wrong resource of the same kind makes lines differ.
 */
export const canonicalLines = (rows: readonly Row[]): readonly string[] => {
  let names: ReadonlyMap<string, string> = new Map()
  const lines = () => rows.map(row => lineOf(row, id => names.get(id) ?? ''))
  // Each round includes neighbours that are one reference further.
  for (let round = 0; round < rounds; round++) {
    const places = new Map<string, string[]>()
    for (const { key, raw } of lines()) {
      const row = digest(key)
      for (const [position, [, id = '']] of [...raw.matchAll(marked)].entries()) {
        const known = places.get(id) ?? []
        known.push(`${row} ${position}`)
        places.set(id, known)
      }
    }
    names = new Map([...places].map(([id, where]) => [id, digest(where.sort().join())]))
  }
  return lines()
    .map(({ key }) => key)
    .sort()
}

/** Returns one line per row, with ids replaced by their kind alone. */
export const blankLines = (rows: readonly Row[]): readonly string[] =>
  rows.map(row => lineOf(row, () => '').key).sort()

const rounds = 3

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

/** A text with names in place of ids, and with marked ids. */
interface Text {
  readonly key: string
  readonly raw: string
}

const mark = '\u0000'
const marked = new RegExp(`${mark}([^${mark}]*)${mark}`, 'g')

const lineOf = ({ place, value, isUnordered = false }: Row, nameOf: (id: string) => string): Text =>
  joined([renamed(place, nameOf), textOf(value, isUnordered, nameOf)], ['', ' ', ''])

const textOf = (value: Json, isUnordered: boolean, nameOf: (id: string) => string): Text => {
  if (typeof value === 'string') return joined([renamed(value, nameOf)], ['"', '', '"'])
  if (typeof value === 'number')
    return plain(value > firstTime && value < lastTime ? '<time>' : String(value))
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => textOf(item, isUnordered, nameOf))
    return joined(isUnordered ? sorted(items) : items, ['[', ', ', ']'])
  }
  if (!isRecord(value)) return plain(String(value))
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) =>
      joined(
        [renamed(name, nameOf), textOf(field, isUnordered || unordered.has(name), nameOf)],
        ['', ': ', ''],
      ),
    )
  return joined(sorted(fields), ['{', ', ', '}'])
}

const plain = (text: string): Text => ({ key: text, raw: text })

const joined = (texts: readonly Text[], [start, between, end]: readonly [string, string, string]): Text => ({
  key: `${start}${texts.map(({ key }) => key).join(between)}${end}`,
  raw: `${start}${texts.map(({ raw }) => raw).join(between)}${end}`,
})

const sorted = (texts: readonly Text[]): readonly Text[] =>
  texts.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))

const renamed = (text: string, nameOf: (id: string) => string): Text => {
  const timeless = text.replace(times, '<time>')
  return {
    key: timeless.replace(ids, id => `<${[kindOf(id), nameOf(id)].filter(part => part !== '').join(' ')}>`),
    raw: timeless.replace(ids, id => `${mark}${id}${mark}`),
  }
}

const kindOf = (id: string): string =>
  /^-----BEGIN ([A-Z ]+)|^([a-z-]+)-[0-9a-f]{17}$/.exec(id)?.slice(1).find(Boolean) ?? 'id'
