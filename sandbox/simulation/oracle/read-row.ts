import { hash } from 'node:crypto'
import type { WorldRow } from './world-row.ts'

/** Returns the text that stands for a generated name. The same name: it is shown. */
export type ShowName = (name: string) => string

/** A text, and the place of each replaced name in it. */
interface ShownRow {
  readonly text: string
  readonly names: readonly (readonly [name: string, where: string])[]
}

/** A text without times. A string has no generated names. */
type RowPart = string | ((show: ShowName) => ShownRow)

/** Shows rows without times. Names in equal places of equal rows have equal places. */
export interface RowReader {
  show(row: WorldRow, show: ShowName): ShownRow
  /** Returns the text of a row with its generated names. */
  text(row: WorldRow): string
}

/** The reader searches each value once for generated names. */
export const createRowReader = (): RowReader => {
  const parts = new WeakMap<object, RowPart>()
  const texts = new WeakMap<object, string>()
  const partOf = ({ value, isUnordered = false }: WorldRow): RowPart => {
    if (typeof value !== 'object' || value === null)
      return value === undefined ? '' : readValue(value, isUnordered)
    const part = parts.get(value) ?? readValue(value, isUnordered)
    parts.set(value, part)
    return part
  }
  const textOf = (row: WorldRow): string => {
    const { value } = row
    if (typeof value !== 'object' || value === null) return shown(partOf(row), same).text
    const text = texts.get(value) ?? shown(partOf(row), same).text
    texts.set(value, text)
    return text
  }
  return {
    show: (row, show) => {
      const [head, body] = [shown(readText(row.place), show), shown(partOf(row), show)]
      return { text: `${head.text} ${body.text}`, names: [...within('place', head.names), ...body.names] }
    },
    text: row => `${shown(readText(row.place), same).text} ${textOf(row)}`,
  }
}

const same: ShowName = name => name

const none: ShownRow['names'] = []

const shown = (part: RowPart, show: ShowName): ShownRow =>
  typeof part === 'string' ? { text: part, names: none } : part(show)

const isText = (part: RowPart): part is string => typeof part === 'string'

const readValue = (value: unknown, isUnordered: boolean): RowPart => {
  if (typeof value === 'string') return quoted(readText(value))
  if (typeof value === 'number') return isTime(value) ? '<time>' : String(value)
  if (Array.isArray(value))
    return readList(
      value.map(item => readValue(item, isUnordered)),
      isUnordered,
    )
  if (typeof value !== 'object' || value === null) return String(value)
  return readObject(value, isUnordered)
}

const quoted = (part: RowPart): RowPart => {
  if (isText(part)) return `"${part}"`
  return show => {
    const { text, names } = part(show)
    return { text: `"${text}"`, names }
  }
}

const readList = (items: readonly RowPart[], isUnordered: boolean): RowPart => {
  const listText = (texts: readonly string[]) => `[${(isUnordered ? texts.toSorted() : texts).join(', ')}]`
  if (items.every(isText)) return listText(items)
  return show => {
    const all = items.map(item => shown(item, show))
    return {
      text: listText(all.map(({ text }) => text)),
      names: all.flatMap(({ names }, index) => (isUnordered ? names : within(String(index), names))),
    }
  }
}

const readObject = (value: object, isUnordered: boolean): RowPart => {
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => {
      const isList = unordered.has(name.toLowerCase())
      const list = isList && typeof field === 'string' ? field.split(',') : field
      return readField(readText(name), readValue(list, isUnordered || isList))
    })
  const objectText = (texts: readonly string[]) => `{${texts.toSorted().join(', ')}}`
  if (fields.every(isText)) return objectText(fields)
  return show => {
    const all = fields.map(field => shown(field, show))
    const text = objectText(all.map(one => one.text))
    const names = all.flatMap(field => field.names)
    // Lists without order may hold equal objects in any order.
    return { text, names: names.length === 0 ? names : within(digest(text), names) }
  }
}

const readField = (key: RowPart, content: RowPart): RowPart => {
  if (isText(key) && isText(content)) return `${key}: ${content}`
  return show => {
    const [some, others] = [shown(key, show), shown(content, show)]
    return {
      text: `${some.text}: ${others.text}`,
      names: within(some.text, [...some.names, ...others.names]),
    }
  }
}

/** Lists that are sorted by generated values, and their texts with commas. */
const unordered: ReadonlySet<string> = new Set(['egresscidrs'])

const within = (where: string, names: ShownRow['names']): ShownRow['names'] =>
  names.map(([name, inner]) => [name, `${where} ${inner}`])

export const digest = (text: string): string => hash('sha256', text).slice(0, 6)

/** The length of the shortest generated name. */
const shortest = 5

const readText = (text: string): RowPart => {
  if (text.length < shortest) return text
  const timeless = text.replace(times, '<time>')
  if (timeless.search(generated) === -1) return timeless
  const found: { readonly before: string; readonly name: string }[] = []
  let end = 0
  for (const { 0: name, index } of timeless.matchAll(generated)) {
    found.push({ before: timeless.slice(end, index), name })
    end = index + name.length
  }
  const rest = timeless.slice(end)
  return show => {
    let text = ''
    const names: (readonly [name: string, where: string])[] = []
    for (const { before, name } of found) {
      const other = show(name)
      text += before
      if (other === name) text += name
      else {
        names.push([name, String(names.length)])
        text += `<${[kindOf(name), other].filter(part => part !== '').join(' ')}>`
      }
    }
    return { text: text + rest, names }
  }
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
  // The simulator's public addresses, and their names: RFC 2544.
  /\bec2-198-1[89]-\d+-\d+\b/,
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
