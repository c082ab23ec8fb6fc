/** Longest compared name: a longer one is not a typo. */
const longest = 64

/**
 * Returns the nearest name: the one with the fewest letters to change, add, omit or swap with the next. At most a third
 * of the name's letters may differ. Undefined if no name is near.
 */
export const nearestName = (written: string, names: readonly string[]): string | undefined => {
  if (written.length > longest) return undefined
  const [nearest] = names
    // Each extra letter costs one, so the length alone excludes most names.
    .filter(name => Math.abs(name.length - written.length) <= mostChanges(name))
    .map(name => ({ name, distance: distanceOf(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= mostChanges(name))
    .sort((one, other) => one.distance - other.distance)
  return nearest?.name
}

const mostChanges = (name: string): number => Math.max(1, Math.floor(name.length / 3))

/** Damerau-Levenshtein distance; each pair of letters is swapped at most once. */
const distanceOf = (one: string, other: string): number => {
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwapped = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          at(next, column - 1) + 1,
          at(last, column) + 1,
          at(last, column - 1) + differs,
          isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = next
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
