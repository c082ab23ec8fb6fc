/**
 * Replaces every occurrence of the given texts. Overlapping occurrences are replaced as one; sequential replacement
 * would leave the end of the second.
 */
export const replaceTexts = (text: string, others: readonly string[], placeholder: string): string => {
  const covered = [...new Set(others)]
    .flatMap(other => occurrences(text, other))
    .toSorted((a, b) => a.start - b.start)
  let replaced = ''
  let end = 0
  for (const place of covered) {
    if (place.start >= end) replaced += text.slice(end, place.start) + placeholder
    end = Math.max(end, place.end)
  }
  return replaced + text.slice(end)
}

const occurrences = (text: string, other: string) => {
  const found: { readonly start: number; readonly end: number }[] = []
  if (other === '') return found
  for (let start = text.indexOf(other); start !== -1; start = text.indexOf(other, start + 1)) {
    found.push({ start, end: start + other.length })
  }
  return found
}
