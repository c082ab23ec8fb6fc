/** UUIDs, ids with 17 hexadecimal digits, checksums, upper-case ids, random suffixes of names, addresses. */
const generated =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{7,64}\b|\b[A-Z0-9]{14,60}\b|(?<=-)(?=[a-z]*\d)[a-z0-9]{5}\b|(?<=-)[bcdfghjklmnpqrstvwxz]{5}\b|\b198\.1[89]\.\d+\.\d+|\b02(?::[0-9a-f]{2}){5}\b/g

/** Keys and certificates. They cannot be compared, because both runs generate others. */
const longData = /[A-Za-z0-9+/]{100,}={0,2}/g

/**
 * Replaces generated names by the number of lines in which they are, so that two worlds of equal structure have equal
 * lines. Names that `known` contains remain.
 */
export const comparableLines = (texts: readonly string[], known: string): readonly string[] => {
  const lines = texts.map(text => text.replaceAll(longData, data => (known.includes(data) ? data : '<data>')))
  const counts = new Map<string, number>()
  for (const line of lines)
    for (const name of new Set(line.match(generated) ?? [])) counts.set(name, (counts.get(name) ?? 0) + 1)
  const marks = new Map(
    [...counts].map(([name, count]) => [name, known.includes(name) ? name : `<${count}>`] as const),
  )
  return lines.map(line => line.replaceAll(generated, name => marks.get(name) ?? name)).sort()
}
