/** A text of at most so many characters; of a longer one the start and `…`. */
export const cutText = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text
