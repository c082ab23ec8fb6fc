/** The size of a JSON text, without its meaning. */
export interface BodySize {
  /** Fields, list items, objects and lists, about. */
  readonly elements: number
  /** Levels of objects and lists. */
  readonly levels: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/**
 * Measures a JSON text in one pass over its bytes. An object with many fields takes longer to walk through than to
 * parse, so its size must be known before. A text that is no JSON has any size.
 */
export const measureBody = (body: Uint8Array): BodySize => {
  let elements = 0
  let open = 0
  let levels = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) {
      at++
      while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1
    } else if (byte === comma) elements++
    // Brackets of lists and objects differ in one bit.
    else if (byte !== undefined && (byte | 0x20) === 0x7b) {
      elements++
      open++
      if (open > levels) levels = open
    } else if (byte !== undefined && (byte | 0x20) === 0x7d) open--
  }
  return { elements, levels }
}
