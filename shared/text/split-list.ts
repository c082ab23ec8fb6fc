/** Splits a comma-separated list. Trims entries and drops empty ones. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
