import { createHash } from 'node:crypto'

/**
 * Returns the lines of a world with its generated names replaced, sorted. Each line is `<place> <JSON>`. A name is
 * replaced by the place of its resource in the whole: two worlds with equal contents and equal references have equal
 * lines. The order of lists has no meaning.
 */
export const canonicalLines = (lines: readonly string[]): readonly string[] => {
  const things = lines.map(parseLine)
  const mentions = things.map(thing => {
    const names = new Set<string>()
    textOf(thing, name => {
      names.add(name)
      return ''
    })
    return names
  })
  let colors: ReadonlyMap<string, string> = new Map()
  // Each round includes neighbours that are one reference further.
  for (let round = 0; round < rounds; round++) {
    const around = new Map<string, string[]>()
    things.forEach((thing, index) => {
      for (const name of mentions[index] ?? []) {
        const text = textOf(thing, other => (other === name ? '@' : (colors.get(other) ?? '')))
        around.set(name, [...(around.get(name) ?? []), text])
      }
    })
    colors = new Map([...around].map(([name, texts]) => [name, digest(texts.sort().join('\n'))]))
  }
  return things.map(thing => textOf(thing, name => colors.get(name) ?? '')).sort()
}

const rounds = 3

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

interface ParsedLine {
  readonly place: string
  readonly value: unknown
}

const parseLine = (line: string): ParsedLine => {
  const end = line.indexOf(' {')
  return end === -1
    ? { place: line, value: undefined }
    : { place: line.slice(0, end), value: JSON.parse(line.slice(end + 1)) as unknown }
}

type NameOf = (name: string) => string

const textOf = ({ place, value }: ParsedLine, nameOf: NameOf): string =>
  `${renamed(place, nameOf)} ${value === undefined ? '' : valueText(value, nameOf)}`

const valueText = (value: unknown, nameOf: NameOf): string => {
  if (typeof value === 'string') return JSON.stringify(renamed(value, nameOf))
  if (typeof value === 'number') return value > firstTime && value < lastTime ? '<time>' : String(value)
  if (Array.isArray(value)) return `[${value.map(item => valueText(item, nameOf)).sort()}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([name, field]) => `${renamed(name, nameOf)}: ${valueText(field, nameOf)}`).sort()}}`
}

const firstTime = Date.parse('2020-01-01T00:00:00Z')
const lastTime = Date.parse('2040-01-01T00:00:00Z')

/** Names that differ in each world. A first group is retained. */
const generated = [
  /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n?/g,
  /\b([a-z][a-z-]{0,20})-[0-9a-f]{17}\b/g,
  /\b(A[A-Z]{3})[A-Z0-9]{17}\b/g,
  /\b()[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  // Rules of a bucket.
  /()\b[A-Z0-9]{48}\b/g,
  // Machines: the name of the class, and a random suffix.
  /(-z\d+-[0-9a-f]{5})-[0-9a-z]{5}\b/g,
  // The simulator's public addresses (RFC 2544).
  /\b()198\.1[89]\.\d+\.\d+\b/g,
] as const

/** Checksums of contents with keys or times. */
const checksums = /\b[0-9a-f]{64}\b|-[0-9a-f]{8}\b(?!-[0-9a-f]{4}-)/g
const times = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

const renamed = (text: string, nameOf: NameOf): string =>
  generated
    .reduce<string>(
      (all, pattern) => all.replace(pattern, (name, kind: string) => `<${kind} ${nameOf(name)}>`),
      text,
    )
    .replace(checksums, '<checksum>')
    .replace(times, '<time>')

/** Returns a sentence for each difference between two worlds: of contents, or else of references. */
export const worldDifferences = (
  lines: readonly string[],
  freshLines: readonly string[],
): readonly string[] => {
  const contents = onlyIn(blankLines(lines), blankLines(freshLines))
  return contents.length > 0 ? contents : onlyIn(canonicalLines(lines), canonicalLines(freshLines))
}

/** Returns the lines with generated names left out. */
const blankLines = (lines: readonly string[]): readonly string[] =>
  lines.map(line => textOf(parseLine(line), () => '')).sort()

const onlyIn = (found: readonly string[], fresh: readonly string[]): readonly string[] => {
  const more = without(found, fresh)
  const fewer = [...without(fresh, found)]
  const placeOf = (line: string) => line.slice(0, line.search(/[{]|$/))
  const texts = more.map(line => {
    const index = fewer.findIndex(other => placeOf(other) === placeOf(line))
    const [partner] = index === -1 ? [] : fewer.splice(index, 1)
    return partner === undefined
      ? `a fresh creation does not have: ${cut(line)}`
      : changeText(placeOf(line), line, partner)
  })
  return [...texts, ...fewer.map(line => `only a fresh creation has: ${cut(line)}`)]
}

const changeText = (place: string, line: string, fresh: string): string => {
  let start = 0
  while (line[start] === fresh[start]) start++
  let end = 0
  while (end < Math.min(line.length, fresh.length) - start && line.at(-1 - end) === fresh.at(-1 - end)) end++
  const part = (text: string) =>
    cut(text.slice(Math.max(0, start - 60), Math.max(start, text.length - end) + 60))
  return `${place}differs from a fresh creation: …${part(line)}…, fresh: …${part(fresh)}…`
}

const cut = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text)

/** As multisets. */
const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter(line => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}
