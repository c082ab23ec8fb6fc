import { createHash } from 'node:crypto'

/** UUIDs, ids with 17 hexadecimal digits, checksums, upper-case ids, random suffixes of names, public addresses. */
const generated =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{7,64}\b|\b[A-Z0-9]{14,60}\b|(?<=-)(?=[a-z]*\d)[a-z0-9]{5}\b|(?<=-)[bcdfghjklmnpqrstvwxz]{5}\b|\b198\.1[89]\.\d+\.\d+/g

/** Keys and certificates. They cannot be compared, because both runs generate others. */
const longData = /[A-Za-z0-9+/]{100,}={0,2}/g

/** Rounds in which names learn from the names beside them. */
const rounds = 3

/**
 * Replaces generated names by marks that depend only on the lines in which they are, so that two worlds of equal
 * structure have equal lines. Names that `known` contains remain.
 */
export const comparableLines = (texts: readonly string[], known: string): readonly string[] => {
  const lines = texts.map(text => text.replaceAll(longData, data => (known.includes(data) ? data : '<data>')))
  const tokens = lines.map(line => line.match(generated) ?? [])
  const occurrences = new Map<string, number[]>()
  for (const [index, found] of tokens.entries())
    for (const token of new Set(found)) {
      if (known.includes(token)) continue
      const at = occurrences.get(token) ?? []
      at.push(index)
      occurrences.set(token, at)
    }
  let marks = new Map<string, string>([...occurrences.keys()].map(token => [token, '#']))
  const marked = (index: number, self?: string): string =>
    (lines[index] ?? '').replaceAll(generated, token =>
      token === self ? '<self>' : (marks.get(token) ?? token),
    )
  for (let round = 0; round < rounds; round++)
    marks = new Map(
      [...occurrences].map(([token, at]) => {
        const around = at.map(index => marked(index, token)).sort()
        return [token, `<${createHash('sha1').update(around.join('\n')).digest('hex').slice(0, 6)}>`]
      }),
    )
  return lines.map((_, index) => marked(index)).sort()
}
