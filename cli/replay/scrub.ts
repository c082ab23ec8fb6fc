import { redactTexts, secretTexts } from '../../shared/lifecycle/lifecycle.ts'

/**
 * Replaces secret values in every nested text of a value. Takes the base64 values of Secrets, and random names with
 * their replacements.
 */
export const createScrub = (
  base64Values: readonly string[],
  names: ReadonlyMap<string, string> = new Map(),
): (<T>(value: T) => T) => {
  const texts = base64Values.flatMap(value => [
    value,
    ...secretTexts(Buffer.from(value, 'base64').toString('utf8')),
  ])
  const named = (text: string): string =>
    [...names].reduce((cleaned, [name, other]) => cleaned.replaceAll(name, other), text)
  const clean = (text: string): string => redactTexts(named(text), texts)
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), walk(item)]))
  }
  // Only texts change, so the shape is the same.
  return <T>(value: T): T => walk(value) as T
}
