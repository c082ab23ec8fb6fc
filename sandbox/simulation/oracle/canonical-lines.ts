import { createRowReader, digest, type RowReader, type ShowName } from './read-row.ts'
import type { WorldRow } from './world-row.ts'

/** Returns true for generated names that remain. */
export type IsKnown = (name: string) => boolean

/**
 * Returns one line per row, sorted. Generated names are replaced by names that follow from the places in which they
 * are: equal worlds have equal lines, and a reference to a wrong resource of the same kind makes lines differ.
 */
export const canonicalLines = (
  rows: readonly WorldRow[],
  isKnown: IsKnown,
  reader: RowReader,
): readonly string[] => {
  let names: ReadonlyMap<string, string> = new Map()
  const show: ShowName = name => (isKnown(name) ? name : (names.get(name) ?? ''))
  let shown = rows.map(row => ({ row, ...reader.show(row, show) }))
  // A row without generated names is the same in each round.
  const constant = shown.filter(one => one.names.length === 0).map(({ text }) => text)
  shown = shown.filter(one => one.names.length > 0)
  // Each round includes neighbours that are one reference further.
  for (let round = 0; round < rounds; round++) {
    const places = new Map<string, string[]>()
    for (const one of shown) {
      const line = digest(one.text)
      for (const [name, where] of one.names)
        places.set(name, [...(places.get(name) ?? []), `${line} ${where}`])
    }
    names = new Map([...places].map(([name, where]) => [name, digest(where.sort().join())]))
    shown = shown.map(({ row }) => ({ row, ...reader.show(row, show) }))
  }
  return [...constant, ...shown.map(({ text }) => text)].sort()
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
