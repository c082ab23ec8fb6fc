/** Matches any text, including the empty one. */
export const anyText = Symbol('any text')

/** Matches any one character. */
const anyCharacter = Symbol('any character')

/** A character of a pattern (a UTF-16 unit) or a wildcard. */
type PatternUnit = string | typeof anyText | typeof anyCharacter

/** Maps `*` and `?` to AWS's wildcards. */
export const wildcardOf = (unit: string): PatternUnit =>
  unit === '*' ? anyText : unit === '?' ? anyCharacter : unit

/**
 * Returns true if the whole text matches a pattern. A regular expression with many `.*` would take exponential time.
 * Here each `anyText` matches as little as possible, and only the last one is ever extended.
 */
export const matchesWildcards = (pattern: readonly PatternUnit[], text: string): boolean => {
  let at = 0
  let unit = 0
  let star: { readonly unit: number; at: number } | undefined
  while (at < text.length) {
    const wanted = pattern[unit]
    if (wanted === anyText) {
      star = { unit, at }
      unit++
    } else if (wanted !== undefined && (wanted === anyCharacter || wanted === text[at])) {
      unit++
      at++
    } else if (star !== undefined) {
      star.at++
      at = star.at
      unit = star.unit + 1
    } else {
      return false
    }
  }
  return pattern.slice(unit).every(rest => rest === anyText)
}
