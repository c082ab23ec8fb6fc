import { createHash } from 'node:crypto'
import type { WorldRow } from './world-row.ts'

/** Returns the text that stands for a generated name. The same name: it is shown. */
export type ShowName = (name: string) => string

/** A text, and the place of each replaced name in it. */
interface ShownRow {
  readonly text: string
  readonly names: readonly (readonly [name: string, where: string])[]
}

/** Shows a row without times. Names in equal places of equal rows have equal places. */
export const showRow = ({ place, value, isUnordered = false }: WorldRow, show: ShowName): ShownRow => {
  const head = showText(place, show)
  const body = value === undefined ? showText('', show) : showValue(value, show, isUnordered)
  return { text: `${head.text} ${body.text}`, names: [...within('place', head.names), ...body.names] }
}

const showValue = (value: unknown, show: ShowName, isUnordered: boolean): ShownRow => {
  if (typeof value === 'string') {
    const { text, names } = showText(value, show)
    return { text: `"${text}"`, names }
  }
  if (typeof value === 'number') return { text: isTime(value) ? '<time>' : String(value), names: [] }
  if (Array.isArray(value)) {
    const items = value.map(item => showValue(item, show, isUnordered))
    const texts = items.map(({ text }) => text)
    return {
      text: `[${(isUnordered ? texts.sort() : texts).join(', ')}]`,
      names: items.flatMap(({ names }, index) => (isUnordered ? names : within(String(index), names))),
    }
  }
  if (typeof value !== 'object' || value === null) return { text: String(value), names: [] }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => {
      const key = showText(name, show)
      const isList = unordered.has(name.toLowerCase())
      const list = isList && typeof field === 'string' ? field.split(',') : field
      const content = showValue(list, show, isUnordered || isList)
      return {
        text: `${key.text}: ${content.text}`,
        names: within(key.text, [...key.names, ...content.names]),
      }
    })
  const texts = fields.map(({ text }) => text).sort()
  const text = `{${texts.join(', ')}}`
  const names = fields.flatMap(field => field.names)
  // Lists without order may hold equal objects in any order.
  return { text, names: names.length === 0 ? names : within(digest(text), names) }
}

/** Lists that are sorted by generated values, and their texts with commas. */
const unordered: ReadonlySet<string> = new Set(['egresscidrs'])

const within = (where: string, names: ShownRow['names']): ShownRow['names'] =>
  names.map(([name, inner]) => [name, `${where} ${inner}`])

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

const showText = (text: string, show: ShowName): ShownRow => {
  if (text.length < shortest) return { text, names: [] }
  const names: (readonly [name: string, where: string])[] = []
  const shown = text.replace(times, '<time>').replace(generated, name => {
    const other = show(name)
    if (other === name) return name
    names.push([name, String(names.length)])
    return `<${[kindOf(name), other].filter(part => part !== '').join(' ')}>`
  })
  return { text: shown, names }
}

/** Names and values that differ in each world. */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n?/,
  // The same in base64.
  /LS0tLS1CRUdJTi[A-Za-z0-9+/=]+/,
  // Ids of AWS, and of the rules of a bucket.
  /(?<![A-Za-z0-9])[a-z]{1,16}(?:-cidr-assoc)?-[0-9a-f]{17}(?![0-9a-z])/,
  /\bA[A-Z]{3}[A-Z0-9]{17}\b/,
  /\b[A-Z0-9]{48}\b/,
  // The suffix of a machine, after the checksum of its class.
  /(?<=-z\d+-[0-9a-f]{5}-)[0-9a-z]{5}\b/,
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
/** The length of the shortest match with the characters around it: `-0123abcd`. */
const shortest = 9
const generated = new RegExp(patterns.map(({ source }) => source).join('|'), 'g')

const kindOf = (name: string): string =>
  /^-----BEGIN ([A-Z ]+)|^([a-z-]+)-[0-9a-f]{17}$|^(A[A-Z]{3})[A-Z0-9]{17}$/
    .exec(name)
    ?.slice(1)
    .find(Boolean) ?? 'id'

/** Times in RFC 3339, and in seconds. */
const times = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b(?:17|20)\d{8}\b/g

/** In milliseconds. */
const isTime = (value: number): boolean => value > firstTime && value < lastTime
const firstTime = Date.parse('2020-01-01T00:00:00Z')
const lastTime = Date.parse('2040-01-01T00:00:00Z')
