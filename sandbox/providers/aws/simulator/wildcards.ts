/** Stands for any text, the empty one too. */
export const anyText = Symbol('any text')

/** Stands for any one character. */
const anyCharacter = Symbol('any character')

/** A character of a pattern (a UTF-16 unit), or what stands for others. */
type PatternUnit = string | typeof anyText | typeof anyCharacter

/** `*` and `?` as AWS means them. */
export const wildcardOf = (unit: string): PatternUnit =>
  unit === '*' ? anyText : unit === '?' ? anyCharacter : unit

/**
 * Whether a text as a whole matches a pattern. An expression with one `.*` after the other would take a time with their
 * number in the exponent; here each `anyText` takes the least it can, and only the last one ever takes more.
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
