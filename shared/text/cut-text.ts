/** Cuts a text to a number of characters. A longer text ends with `…`. */
export const cutText = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text

/** Cuts a text to a number of bytes in UTF-8, at least 3. A longer text ends with `…`. */
export const cutToBytes = (text: string, mostBytes: number): string => {
  if (bytesOf(text) <= mostBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes - bytesOf('…')))
  return `${text.slice(0, read)}…`
}

/** Returns the length of a text in UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length
