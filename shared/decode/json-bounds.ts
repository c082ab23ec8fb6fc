/**
 * Maximum levels of JSON that is read, written or sent. kube-apiserver accepts 10,000 and `JSON.parse` any number, but
 * recursive code exhausts its stack after some thousands. Objects of Gardener have about twenty.
 */
export const deepestJson = 500

/** Returns true if parsed JSON has more levels of objects and lists than the limit. Recurses at most to the limit. */
export const isDeeper = (value: unknown, levels: number = deepestJson): boolean => {
  if (!isHolder(value)) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some(inner => isDeeper(inner, levels - 1))
  // Avoids allocating a list of values: this runs for every event of the bridge.
  for (const name in value) if (isDeeper(value[name as keyof typeof value], levels - 1)) return true
  return false
}

/**
 * Returns true if the JSON of a value certainly exceeds a number of characters. False is possible slightly above it, if
 * many characters are escaped. Reads only as much as needed and does not recurse.
 */
export const isLonger = (value: unknown, characters: number): boolean => {
  let left = characters
  const open = [value]
  while (open.length > 0 && left >= 0) {
    const next = open.pop()
    if (typeof next === 'string') left -= next.length + 2
    else if (!isHolder(next)) left -= 1
    else if (Array.isArray(next)) {
      left -= 1 + next.length
      if (left >= 0) for (const inner of next) open.push(inner)
    } else {
      left -= 1
      for (const name in next) {
        left -= name.length + 4
        if (left < 0) break
        open.push(next[name as keyof typeof next])
      }
    }
  }
  return left < 0
}

/**
 * Returns true if the JSON of a value certainly has at most this many bytes in UTF-8, whatever its characters are.
 * False is possible far below the limit. Expects a value that is not too deep (`isDeeper`).
 */
export const isCertainlyWithin = (value: unknown, bytes: number): boolean => mostBytes(value, bytes) >= 0

/** Subtracts the greatest possible size of a value's JSON from `left`. Stops below 0. */
const mostBytes = (value: unknown, left: number): number => {
  if (typeof value === 'string') return left - mostOfText(value)
  if (!isHolder(value)) return left - longestNumber
  let rest = left - 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index++) rest = mostBytes(value[index], rest - 1)
    return rest
  }
  for (const name in value) {
    if (rest < 0) return rest
    rest = mostBytes(value[name as keyof typeof value], rest - mostOfText(name) - 2)
  }
  return rest
}

/** The JSON of a UTF-16 unit has at most six bytes: `\\u0001`. */
const mostOfText = (text: string): number => text.length * 6 + 2

/** Characters of the longest number in JavaScript's notation, such as `-1.7976931348623157e+308`. */
const longestNumber = 25

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null
