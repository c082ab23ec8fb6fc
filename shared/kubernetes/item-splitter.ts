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
const itemsName = /"items"\s*:\s*$/

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

  const endsInItemsName = (chunk: Uint8Array) => {
    const before = outside.at(-1) ?? new Uint8Array()
    // The name may be cut; it and its colon are short.
    return itemsName.test(textOf([before.subarray(-64), chunk.subarray(-64)]))
  }

  const push = (chunk: Uint8Array) => {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isText = false
      } else if (byte === quote) {
        isText = true
      } else if (byte === openBrace || byte === openBracket) {
        depth++
        // Between items are commas alone.
        if (isItems && depth === 3) from = at
        if (depth !== 2 || isItems || byte !== openBracket) continue
        if (!endsInItemsName(chunk.subarray(from, at))) continue
        isItems = true
        outside.push(chunk.subarray(from, at + 1))
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
    if (!isItems) outside.push(chunk.subarray(from))
    else if (depth > 2) inside.push(chunk.subarray(from))
  }

  return { push, rest: () => textOf(outside) }
}

const textOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('utf8')
