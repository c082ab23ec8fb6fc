import type { Clock } from '../../shared/clock/clock.ts'
import { colors } from '../colors.ts'
import type { Sentence } from './sentence.ts'

/** Writes lines with the time since the start before them. */
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

export const createPrinter = (clock: Clock, write: (text: string) => void): Printer => {
  const start = clock.now()
  return {
    line: text => write(`${text}\n`),
    sentence: ({ part, text, tone }) => {
      const seconds = ((clock.now() - start) / 1000).toFixed(2).padStart(7)
      write(`${colors.dim(`${seconds} s`)}  ${colors.cyan(part.padEnd(10))}  ${paint[tone](text)}\n`)
    },
  }
}
