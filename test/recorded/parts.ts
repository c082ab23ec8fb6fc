import { fromLine, toLine } from './digests.ts'

/**
 * A recording in its stored form: a value that occurs more than once is a part, and `{"$": 3}` refers to part 3. A
 * digest is a line.
 */
export interface Stored {
  readonly parts: readonly unknown[]
  readonly value: unknown
}

/** Values with a shorter text are repeated. */
const leastLength = 25

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const mapped = (value: object, change: (inner: unknown) => unknown): unknown =>
  Array.isArray(value)
    ? value.map(change)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))

const lined = (value: unknown): unknown => {
  const line = toLine(value)
  return isObject(line) ? mapped(line, lined) : line
}

/** Stores each large value once. */
export const withParts = (recording: unknown): Stored => {
  const value = lined(recording)
  const counts = new Map<string, number>()
  const count = (inner: unknown): void => {
    if (!isObject(inner)) return
    const text = JSON.stringify(inner)
    if (text.length < leastLength) return
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    // The values inside of a part are counted once.
    if (before === 0) for (const one of Object.values(inner)) count(one)
  }
  count(value)
  const parts: unknown[] = []
  const numbers = new Map<string, number>()
  const stored = (inner: unknown): unknown => {
    if (!isObject(inner)) return inner
    const text = JSON.stringify(inner)
    if ((counts.get(text) ?? 0) < 2) return mapped(inner, stored)
    const known = numbers.get(text)
    if (known !== undefined) return { $: known }
    const part = mapped(inner, stored)
    numbers.set(text, parts.length)
    return { $: parts.push(part) - 1 }
  }
  const whole = stored(value)
  return { parts, value: whole }
}

/** Returns the value that was stored. */
export const withoutParts = ({ parts, value }: Stored): unknown => {
  const restored = (inner: unknown): unknown => {
    if (!isObject(inner)) return fromLine(inner)
    const { $: number } = inner as { readonly $?: unknown }
    return typeof number === 'number' ? restored(parts[number]) : mapped(inner, restored)
  }
  return restored(value)
}

/** The text of a file: a line for each part and for each entry of the value. */
export const storedText = ({ parts, value }: Stored): string => {
  const lines = (items: readonly string[]): string => items.map(item => `\n${item}`).join(',')
  const entries = Object.entries(Object(value)).map(
    ([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner)}`,
  )
  return `{"parts":[${lines(parts.map(part => JSON.stringify(part)))}],"value":{${lines(entries)}}}\n`
}
