/** Cuts a text to a number of characters. A longer text ends with `…`. */
export const cutText = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text
