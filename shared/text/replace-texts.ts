import { createTextSearch, replaceParts } from './text-search.ts'

/**
 * Replaces every occurrence of the given texts. Overlapping occurrences are replaced as one; sequential replacement
 * would leave the end of the second. Takes linear time, whatever the texts contain.
 */
export const replaceTexts = (text: string, others: readonly string[], placeholder: string): string => {
  if (text === '' || others.length === 0) return text
  const search = createTextSearch<undefined>(1)
  // A longer text cannot occur in this one.
  for (const other of others) if (other.length <= text.length) search.add(other, undefined)
  return replaceParts(text, search.partsOf(text), () => placeholder)
}
