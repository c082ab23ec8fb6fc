import { ConnectionError } from '../port.ts'

/** Splits the JSON of a list into its items while it arrives, so that at most one item is in memory. */
export interface ItemSplitter {
  /** Processes the next bytes of the list. */
  push(chunk: Uint8Array): void
  /** Returns the list without its items after all bytes have arrived: JSON with `"items":[]`. */
  rest(): string
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
/** The text before the list's items. Only a field name is followed by a colon. */
const itemsName = /"items"\s*:\s*\[$/
/** The most bytes of an item, and of everything outside of the items: etcd stores objects of 1.5 MB. */
export const mostOfItem = 16 * 1024 * 1024
/** Length of the name, its colon and bracket, and possible space around them. */
const nameLength = 32

/**
 * Calls `item` with the JSON of each object of the top-level field `items`. Only counts brackets and quotes; the
 * caller's parser detects invalid JSON. Bytes may be cut anywhere.
 *
 * A complete response would need several times its size once parsed, and token parsers (stream-json,
 * @streamparser/json) create each value in JavaScript. This splitter leaves that to `JSON.parse`, one object at a time.
 */
export const createItemSplitter = (item: (json: string) => void): ItemSplitter => {
  const outside: Uint8Array[] = []
  let inside: Uint8Array[] = []
  let depth = 0
  let isText = false
  let isEscaped = false
  let isItems = false
  let insideBytes = 0
  let outsideBytes = 0

  const limit = (bytes: number): void => {
    if (bytes <= mostOfItem) return
    inside = []
    outside.length = 0
    throw new ConnectionError(`the API server sent an object of a list with more than ${mostOfItem} bytes`, {
      cause: undefined,
      sent: true,
    })
  }

  const appendOutside = (bytes: Uint8Array) => {
    outsideBytes += bytes.length
    limit(outsideBytes)
    // The name before the items may be cut, so its end is joined to one piece.
    const last = outside.at(-1)
    if (last === undefined || last.length > nameLength) outside.push(bytes)
    else outside[outside.length - 1] = Buffer.concat([last, bytes])
  }

  /** Returns the end of the string that continues at `from`, or the length if it is not in this chunk. */
  const endOfText = (chunk: Uint8Array, from: number): number => {
    let start = isEscaped ? from + 1 : from
    for (;;) {
      // Strings may have a megabyte, and the native search is ten times as fast as a loop over bytes.
      const end = chunk.indexOf(quote, start)
      const until = end < 0 ? chunk.length : end
      let escapes = 0
      while (until - escapes > start && chunk[until - escapes - 1] === backslash) escapes++
      isEscaped = end < 0 && escapes % 2 === 1
      if (end < 0) return chunk.length
      if (escapes % 2 === 0) {
        isText = false
        return end
      }
      start = end + 1
    }
  }

  const push = (chunk: Uint8Array) => {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (isText) {
        at = endOfText(chunk, at)
        continue
      }
      const byte = chunk[at]
      if (byte === quote) {
        isText = true
      } else if (byte === openBrace || byte === openBracket) {
        depth++
        // Items are separated only by commas.
        if (isItems && depth === 3) from = at
        if (depth !== 2 || isItems || byte !== openBracket) continue
        appendOutside(chunk.subarray(from, at + 1))
        from = at + 1
        isItems = itemsName.test(decode(outside.slice(-2)).slice(-nameLength))
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--
        if (isItems && depth === 2) {
          inside.push(chunk.subarray(from, at + 1))
          const json = decode(inside)
          inside = []
          insideBytes = 0
          item(json)
        } else if (isItems && depth === 1) {
          isItems = false
          from = at
        }
      }
    }
    if (!isItems) appendOutside(chunk.subarray(from))
    else if (depth > 2) {
      inside.push(chunk.subarray(from))
      insideBytes += chunk.length - from
      limit(insideBytes)
    }
  }

  return { push, rest: () => decode(outside) }
}

const decode = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('utf8')
