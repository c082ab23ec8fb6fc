import { blankLines, canonicalLines, type Row } from './canonical.ts'

/** Returns one text for each difference between two worlds. Equal contents with different references differ, too. */
export const differences = (walked: readonly Row[], fresh: readonly Row[]): readonly string[] => {
  const contents = onlyIn(blankLines(walked), blankLines(fresh))
  return contents.length > 0
    ? contents
    : onlyIn(canonicalLines(walked.filter(hasReferences)), canonicalLines(fresh.filter(hasReferences)))
}

/** The names of generated Secrets are checksums of keys. Only their contents are compared. */
const hasReferences = ({ place }: Row): boolean => !/^(?:Secret|ManagedResource) /.test(place)

const onlyIn = (walked: readonly string[], fresh: readonly string[]): readonly string[] => {
  const more = without(walked, fresh)
  const fewer = [...without(fresh, walked)]
  const texts = more.map(line => {
    const index = fewer.findIndex(other => placeOf(other) === placeOf(line))
    const [partner] = index === -1 ? [] : fewer.splice(index, 1)
    return partner === undefined ? `only after the walk: ${cut(line)}` : changeText(line, partner)
  })
  return [...texts, ...fewer.map(line => `only in the new world: ${cut(line)}`)]
}

const placeOf = (line: string): string => line.slice(0, line.search(/[{[]/))

/** Returns the part in which two lines differ, with some text around it. */
const changeText = (walked: string, fresh: string): string => {
  let start = 0
  while (walked[start] === fresh[start]) start++
  let end = 0
  while (end < walked.length - start && walked.at(-1 - end) === fresh.at(-1 - end)) end++
  const part = (line: string) =>
    cut(line.slice(Math.max(0, start - around), Math.max(start, line.length - end) + around))
  return `${placeOf(walked)}after the walk: …${part(walked)}…, in the new world: …${part(fresh)}…`
}

const around = 60
const longest = 600

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** As multisets. */
const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter(line => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}
