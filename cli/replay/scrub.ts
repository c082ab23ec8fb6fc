/** A value shorter than this is no secret: regions, flags, names of a few letters. */
const shortestSecret = 12

/**
 * Replaces secret values in every text of a value, however deep. Takes the base64 that Secrets hold, and names that are others
 * with each run, with what stands for them.
 */
export const createScrub = (
  base64Values: readonly string[],
  names: ReadonlyMap<string, string> = new Map(),
): (<T>(value: T) => T) => {
  const needles = base64Values
    .flatMap(value => {
      const plain = Buffer.from(value, 'base64').toString('utf8').trim()
      return [value, plain, encodeURIComponent(plain), ...plain.split('\n').map(line => line.trim())]
    })
    .filter(text => text.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
  const named = (text: string): string =>
    [...names].reduce((cleaned, [name, other]) => cleaned.replaceAll(name, other), text)
  const clean = (text: string): string =>
    needles.reduce((cleaned, needle) => cleaned.replaceAll(needle, '[redacted]'), named(text))
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), walk(item)]))
  }
  // Only texts change, so the shape is the one that was given.
  return <T>(value: T): T => walk(value) as T
}
