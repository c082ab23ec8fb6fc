const name = String.raw`[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?`
const key = `(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?/)?${name}`
// Blanks belong to the token before them: two places that may match the same blanks would cause exponential
// backtracking.
const value = String.raw`(?:${name}\s*)?`
const values = String.raw`\(\s*${value}(?:,\s*${value})*\)\s*`

/** One requirement, with the comma before the next one, or the end. */
const requirement = new RegExp(
  String.raw`\s*(?:!\s*${key}\s*|${key}\s*(?:(?:==?|!=)\s*${value})?|${key}\s+(?:in|notin)\s*${values}|${key}\s*[<>]\s*\d+\s*)(,|$)`,
  'y',
)

/**
 * Returns true if the API server understands a label selector: `team=a,env!=test,zone in (a,b),!old` ("Labels and
 * Selectors", Kubernetes). It answers 400 to every list and watch with an invalid one.
 */
export const isLabelSelector = (text: string): boolean => {
  const matcher = new RegExp(requirement)
  do {
    const found = matcher.exec(text)
    if (!found) return false
    if (found[1] === '') return true
  } while (matcher.lastIndex < text.length)
  return false
}
