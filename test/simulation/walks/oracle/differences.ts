import { blankLines, canonicalLines, type Row } from './canonical.ts'

/** Returns the lines that only one of two worlds has: `+` only the first, `-` only the second. */
export const differences = (walked: readonly Row[], fresh: readonly Row[]): readonly string[] => {
  const contents = onlyIn(blankLines(walked), blankLines(fresh))
  // References matter only among equal contents.
  return contents.length > 0 ? contents : onlyIn(canonicalLines(walked), canonicalLines(fresh))
}

const onlyIn = (walked: readonly string[], fresh: readonly string[]): readonly string[] => [
  ...without(walked, fresh).map(line => `+ ${line}`),
  ...without(fresh, walked).map(line => `- ${line}`),
]

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
