import { blankLines, canonicalLines, type IsKnown } from './canonical-lines.ts'
import { createRowReader, type RowReader } from './read-row.ts'
import type { WorldException } from './world-exceptions.ts'
import type { WorldRow } from './world-row.ts'

export interface ComparisonOptions {
  /** Default: none. */
  readonly exceptions?: readonly WorldException[]
  /** Generated names that both worlds have from their common past. Default: none. */
  readonly isKnown?: IsKnown
  /** For several comparisons of the same rows. Default: a new one. */
  readonly reader?: RowReader
}

/**
 * Returns a sentence for each difference between a world and the expected one: of contents, or else of references.
 * Generated names may differ, but not their places.
 */
export const compareWorlds = (
  found: readonly WorldRow[],
  expected: readonly WorldRow[],
  options: ComparisonOptions = {},
): readonly string[] => expectWorld(expected, options)(found)

/** Returns `compareWorlds` for one expected world, which is read only once. */
export const expectWorld = (
  expected: readonly WorldRow[],
  { exceptions = [], isKnown = () => false, reader = createRowReader() }: ComparisonOptions = {},
): ((found: readonly WorldRow[]) => readonly string[]) => {
  const compared = (rows: readonly WorldRow[]) =>
    exceptions.reduce((all, exception) => exception.rows(all), rows)
  const others = compared(expected)
  const once = (lines: typeof blankLines) => {
    let known: readonly string[] | undefined
    return () => {
      known ??= lines(others, isKnown, reader)
      return known
    }
  }
  const [expectedBlank, expectedCanonical] = [once(blankLines), once(canonicalLines)]
  return found => {
    const some = compared(found)
    if (changedRows(some, others, reader).length === 0) return []
    const contents = lineDifferences(blankLines(some, isKnown, reader), expectedBlank())
    return contents.length > 0
      ? contents
      : lineDifferences(canonicalLines(some, isKnown, reader), expectedCanonical())
  }
}

/** Returns the rows that a world has lost or got, with `-` or `+` before their places. */
export const changedRows = (
  before: readonly WorldRow[],
  after: readonly WorldRow[],
  reader: RowReader = createRowReader(),
): readonly WorldRow[] => {
  const withText = ({ row }: { readonly row: WorldRow }) => ({ row, text: reader.text(row) })
  const [former, present] = [new Set(before), new Set(after)]
  const some = before.filter(row => !present.has(row)).map(withJson)
  const others = after.filter(row => !former.has(row)).map(withJson)
  // Most rows are equal, and JSON is many times quicker than their text.
  const lost = without(some, others).map(withText)
  const got = without(others, some).map(withText)
  return [
    ...without(got, lost).map(({ row }) => ({ ...row, place: `+ ${row.place}` })),
    ...without(lost, got).map(({ row }) => ({ ...row, place: `- ${row.place}` })),
  ]
}

/** Returns the text of a row with its generated names. */
export const rowText = (row: WorldRow): string => createRowReader().text(row)

const withJson = (row: WorldRow) => ({ row, text: JSON.stringify(row) })

/** As multisets. */
const without = <Line extends { readonly text: string }>(
  lines: readonly Line[],
  others: readonly Line[],
): readonly Line[] => {
  const left = new Map<string, number>()
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1)
  return lines.filter(({ text }) => {
    const count = left.get(text) ?? 0
    if (count > 0) left.set(text, count - 1)
    return count === 0
  })
}

const lineDifferences = (found: readonly string[], expected: readonly string[]): readonly string[] => {
  const [some, others] = [found.map(text => ({ text })), expected.map(text => ({ text }))]
  const missing = [...without(others, some)]
  const texts = without(some, others).map(({ text }) => {
    const index = missing.findIndex(other => placeOf(other.text) === placeOf(text))
    const [partner] = index === -1 ? [] : missing.splice(index, 1)
    return partner === undefined ? `surplus: ${cut(text)}` : changeText(text, partner.text)
  })
  return [...texts, ...missing.map(({ text }) => `missing: ${cut(text)}`)]
}

const placeOf = (line: string): string => line.slice(0, line.search(/ [{["]|$/))

/** Returns the part in which two lines differ, with some text around it. */
const changeText = (found: string, expected: string): string => {
  const most = Math.min(found.length, expected.length)
  let start = 0
  while (start < most && found[start] === expected[start]) start++
  let end = 0
  while (end < most - start && found.at(-1 - end) === expected.at(-1 - end)) end++
  const part = (line: string) => cut(line.slice(Math.max(0, start - around), line.length - end + around))
  return `${placeOf(found)}: found …${part(found)}…, expected …${part(expected)}…`
}

const around = 60
const longest = 600

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)
