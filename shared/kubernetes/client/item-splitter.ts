/** Cuts the JSON of a list into its items while it comes, so that no more than one of them is held. */
export interface ItemSplitter {
  /** The next bytes of the list. */
  push(chunk: Uint8Array): void
  /** The list without its items, once all bytes are there: as JSON, `"items":[]` in their place. */
  rest(): string
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
/** What stands before the list's own items. No text is followed by a colon but the name of a field. */
const itemsName = /"items"\s*:\s*\[$/
/** Characters that the name, its colon and its bracket have, and what space may be around them. */
const nameLength = 32

/**
 * Calls `item` with the JSON of each object of the top-level field `items`. Looks at brackets and quotes alone: whether
 * an item, or the rest, is JSON at all is seen by whoever parses it. Bytes may be cut anywhere.
 *
 * A whole answer would be several times its size once parsed; a parser of tokens (stream-json, @streamparser/json)
 * makes each value in JavaScript. This one leaves that to `JSON.parse`, an object at a time.
 */
export const createItemSplitter = (item: (json: string) => void): ItemSplitter => {
  const outside: Uint8Array[] = []
  let inside: Uint8Array[] = []
  let depth = 0
  let isText = false
  let isEscaped = false
  let isItems = false

  const keepOutside = (bytes: Uint8Array) => {
    // The name before the items may be cut: what ends with it is in one piece.
    const last = outside.at(-1)
    if (last === undefined || last.length > nameLength) outside.push(bytes)
    else outside[outside.length - 1] = Buffer.concat([last, bytes])
  }

  /** Where the text ends that goes on at `from`; the length: not in this chunk. */
  const endOfText = (chunk: Uint8Array, from: number): number => {
    let start = isEscaped ? from + 1 : from
    for (;;) {
      // Texts may have a megabyte: the search of the system is ten times as fast as a look at each byte.
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
        // Between items are commas alone.
        if (isItems && depth === 3) from = at
        if (depth !== 2 || isItems || byte !== openBracket) continue
        keepOutside(chunk.subarray(from, at + 1))
        from = at + 1
        isItems = itemsName.test(textOf(outside.slice(-2)).slice(-nameLength))
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--
        if (isItems && depth === 2) {
          inside.push(chunk.subarray(from, at + 1))
          const json = textOf(inside)
          inside = []
          item(json)
        } else if (isItems && depth === 1) {
          isItems = false
          from = at
        }
      }
    }
    if (!isItems) keepOutside(chunk.subarray(from))
    else if (depth > 2) inside.push(chunk.subarray(from))
  }

  return { push, rest: () => textOf(outside) }
}

const textOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('utf8')
