import type { Sentence } from '../../sandbox/narration/sentence.ts'
import { colors } from '../../sandbox/terminal/colors.ts'
import { wrapWords } from '../../sandbox/terminal/wrap-words.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import { printable } from '../../shared/text/printable.ts'

/** Writes lines with the time since the start. */
export interface Printer {
  readonly line: (text: string) => void
  readonly sentence: (sentence: Sentence) => void
}

const paint: Readonly<Record<Sentence['tone'], (text: string) => string>> = {
  plain: text => text,
  dim: colors.dim,
  good: colors.green,
  bad: colors.red,
  hint: colors.yellow,
}

/** The column at which the text of a sentence starts. */
const textAt = 23

/** @param columns returns the width of the terminal; undefined: no wrapping. Wrapped text stays in its column. */
export const createPrinter = (
  clock: Clock,
  write: (text: string) => void,
  columns: () => number | undefined = () => undefined,
): Printer => {
  const start = clock.now()
  return {
    line: text => write(`${text}\n`),
    sentence: ({ part, text, tone }) => {
      const seconds = ((clock.now() - start) / 1000).toFixed(2).padStart(7)
      const lines = wrapWords(printable(text), (columns() ?? Number.POSITIVE_INFINITY) - textAt)
      const painted = lines.map(line => paint[tone](line)).join(`\n${' '.repeat(textAt)}`)
      write(`${colors.dim(`${seconds} s`)}  ${colors.cyan(printable(part).padEnd(10))}  ${painted}\n`)
    },
  }
}
