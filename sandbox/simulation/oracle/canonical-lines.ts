import { createRowReader, digest, type RowReader, type ShowName } from './read-row.ts'
import type { WorldRow } from './world-row.ts'

/** Returns true for generated names that remain. */
export type IsKnown = (name: string) => boolean

/**
 * Returns one line per row, sorted. Generated names are replaced by names that follow from the places in which they are:
 * equal worlds have equal lines, and a reference to a wrong resource of the same kind makes lines differ.
 */
export const canonicalLines = (
  rows: readonly WorldRow[],
  isKnown: IsKnown,
  reader: RowReader,
): readonly string[] => {
  let names: ReadonlyMap<string, string> = new Map()
  const show: ShowName = name => (isKnown(name) ? name : (names.get(name) ?? ''))
  // Each round includes neighbours that are one reference further.
  for (let round = 0; round < rounds; round++) {
    const places = new Map<string, string[]>()
    for (const row of rows) {
      const shown = reader.show(row, show)
      const line = shown.names.length > 0 ? digest(shown.text) : ''
      for (const [name, where] of shown.names)
        places.set(name, [...(places.get(name) ?? []), `${line} ${where}`])
    }
    names = new Map([...places].map(([name, where]) => [name, digest(where.sort().join())]))
  }
  return rows.map(row => reader.show(row, show).text).sort()
}

const rounds = 3

/** Returns one line per row, sorted. Generated names are replaced by their kind. */
export const blankLines = (
  rows: readonly WorldRow[],
  isKnown: IsKnown,
  reader: RowReader,
): readonly string[] => rows.map(row => reader.show(row, name => (isKnown(name) ? name : '')).text).sort()

/** Returns the names in the rows that differ in each world. */
export const generatedNames = (
  rows: readonly WorldRow[],
  reader: RowReader = createRowReader(),
): ReadonlySet<string> => new Set(rows.flatMap(row => reader.show(row, () => '').names.map(([name]) => name)))
