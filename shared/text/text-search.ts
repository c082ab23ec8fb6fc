/** A part of a text that contains one or several of the searched texts. */
export interface FoundPart<Value> {
  readonly start: number
  readonly end: number
  /** The value of the text that begins first; of several at one place, the value of the longest. */
  readonly value: Value
}

/** Searches for many texts at once. */
export interface TextSearch<Value> {
  /** Adds a text. Ignores one that is too short, or that was added before. */
  add(text: string, value: Value): void
  /** Returns the parts that contain added texts, in their order. Texts that overlap are one part. */
  partsOf(text: string): readonly FoundPart<Value>[]
}

/** A beginning of an added text. */
interface Mark<Value> {
  /** The value of the text that ends here. */
  own?: { readonly length: number; readonly value: Value } | undefined
  /** The longest text that is a beginning of this one and longer than the mark before it, as of `version`. */
  longest?: { readonly length: number; readonly value: Value } | undefined
  version: number
}

/** The marks of a search, by the hash of their beginnings. */
export type Marks<Value> = Map<number, Mark<Value>>

/**
 * Creates a search whose time depends on the length of the text and of the added texts alone, whatever they contain:
 * for each character at most `log2` of the longest added text look-ups. The added texts may be those of an attacker, so
 * nothing is compared character by character, and the hashes use random factors. A hash has 52 bits: by chance, one
 * text in 10^12 is taken for another.
 *
 * Each added text has a mark at its first `shortest` characters, and then at steps of decreasing powers of two up to
 * its length. So the longest text at a place is found as in a binary search (Waldvogel: Scalable High Speed IP Routing
 * Lookups, 1997).
 *
 * @param shortest the length of the shortest text that is searched, at least 1
 * @param marks the empty map for the marks; tests count its look-ups
 */
export const createTextSearch = <Value>(
  shortest: number,
  marks: Marks<Value> = new Map(),
): TextSearch<Value> => {
  const hashes = createHashes()
  /** Cheap hashes of the first characters. Most places of a text begin with none of them. */
  const starts = new Set<number>()
  const factorOfFirst = Array.from({ length: shortest - 1 }).reduce<number>(
    product => Math.imul(product, factor),
    1,
  )
  let version = 0
  let topStep = 0

  const startOf = (text: string): number => {
    let hash = 0
    for (let at = 0; at < shortest; at++) hash = (Math.imul(hash, factor) + text.charCodeAt(at)) | 0
    return hash
  }
  const markAt = (key: number): Mark<Value> => {
    const known = marks.get(key)
    if (known !== undefined) return known
    const mark: Mark<Value> = { version: -1 }
    marks.set(key, mark)
    return mark
  }

  const longestBelow = (hashOf: PartHash, at: number, from: number, top: number): Mark<Value>['own'] => {
    let best: Mark<Value>['own']
    let length = from
    for (let step = top; step >= 1; step /= 2) {
      const key = hashOf(at, length + step)
      const mark = key === undefined ? undefined : marks.get(key)
      if (mark === undefined) continue
      if (mark.version !== version) {
        mark.longest = mark.own ?? longestBelow(hashOf, at, length, step / 2)
        mark.version = version
      }
      best = mark.longest ?? best
      length += step
    }
    return best
  }
  const longestAt = (hashOf: PartHash, at: number): Mark<Value>['own'] => {
    const first = marks.get(hashOf(at, shortest) ?? -1)
    return first && (longestBelow(hashOf, at, shortest, topStep) ?? first.own)
  }

  return {
    add: (text, value) => {
      if (text.length < shortest) return
      const hashOf = hashes.of(text)
      let length = shortest
      let mark = markAt(hashOf(0, length) ?? -1)
      starts.add(startOf(text))
      while (length < text.length) {
        const step = 2 ** Math.floor(Math.log2(text.length - length))
        topStep = Math.max(topStep, step)
        length += step
        mark = markAt(hashOf(0, length) ?? -1)
      }
      if (mark.own !== undefined) return
      mark.own = { length, value }
      version++
    },
    partsOf: text => {
      const parts: { readonly start: number; end: number; readonly value: Value }[] = []
      if (starts.size === 0 || text.length < shortest) return parts
      let hashOf: PartHash | undefined
      let start = startOf(text)
      for (let at = 0; ; at++) {
        if (starts.has(start)) {
          hashOf ??= hashes.of(text)
          const found = longestAt(hashOf, at)
          const last = parts.at(-1)
          if (found !== undefined && (last === undefined || at >= last.end))
            parts.push({ start: at, end: at + found.length, value: found.value })
          else if (found !== undefined && last !== undefined) last.end = Math.max(last.end, at + found.length)
        }
        if (at + shortest >= text.length) return parts
        start = (start - Math.imul(text.charCodeAt(at), factorOfFirst)) | 0
        start = (Math.imul(start, factor) + text.charCodeAt(at + shortest)) | 0
      }
    },
  }
}

const factor = 31

/** Returns the hash of a part of a text, by its start and length. Undefined: the text ends before. */
type PartHash = (start: number, length: number) => number | undefined

/** The largest prime below 2^26: products of two remainders are exact in a floating point number. */
const prime = 67_108_859

const remainder = (product: number): number => product - Math.floor(product / prime) * prime

/** Polynomial hashes with two random bases. After one pass over a text, the hash of each part takes constant time. */
const createHashes = () => {
  const bases = [randomBase(), randomBase()] as const
  /** The powers of both bases, for the longest text so far. */
  let powers: readonly [Int32Array, Int32Array] = [Int32Array.of(1), Int32Array.of(1)]

  const grow = (length: number): void => {
    if (length < powers[0].length) return
    const longer = Math.max(length + 1, 2 * powers[0].length, 64)
    const grown = (base: number): Int32Array => {
      const values = new Int32Array(longer)
      values[0] = 1
      for (let at = 1; at < longer; at++) values[at] = remainder((values[at - 1] ?? 0) * base)
      return values
    }
    powers = [grown(bases[0]), grown(bases[1])]
  }
  const beginningsOf = (text: string, base: number): Int32Array => {
    const values = new Int32Array(text.length + 1)
    let hash = 0
    for (let at = 0; at < text.length; at++) {
      hash = remainder(hash * base + text.charCodeAt(at) + 1)
      values[at + 1] = hash
    }
    return values
  }
  return {
    of: (text: string): PartHash => {
      grow(text.length)
      const [one, other] = [beginningsOf(text, bases[0]), beginningsOf(text, bases[1])]
      const [powersOfOne, powersOfOther] = powers
      const part = (values: Int32Array, power: Int32Array, start: number, length: number): number => {
        const without = (values[start + length] ?? 0) - remainder((values[start] ?? 0) * (power[length] ?? 0))
        return without < 0 ? without + prime : without
      }
      return (start, length) =>
        start + length > text.length
          ? undefined
          : part(one, powersOfOne, start, length) * 2 ** 26 + part(other, powersOfOther, start, length)
    },
  }
}

/** No caller sees the bases or a hash, so no caller can choose texts with equal hashes. */
const randomBase = (): number => 2 ** 20 + Math.floor(Math.random() * (prime - 2 ** 20))

/** Returns the text with each found part replaced. */
export const replaceParts = <Value>(
  text: string,
  parts: readonly FoundPart<Value>[],
  replacement: (value: Value) => string,
): string => {
  if (parts.length === 0) return text
  let replaced = ''
  let end = 0
  for (const part of parts) {
    replaced += text.slice(end, part.start) + replacement(part.value)
    end = part.end
  }
  return replaced + text.slice(end)
}
