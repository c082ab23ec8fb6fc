import type { Timestamp } from '../../../shared/clock/clock.ts'
import { printable } from '../../../shared/text/printable.ts'
import type { HistoryRow } from '../shoot-history.ts'
import { clockText } from '../time-text.ts'
import { marks, type PaintState } from './text.ts'

/** Formats the history of a shoot for readers: a line for each step, and below it what failed. */
export const historyAsText = (
  rows: readonly HistoryRow[],
  technical: string,
  now: Timestamp,
  paint: PaintState,
): string =>
  rows
    .flatMap(({ at, object, isFailed, text, details }) => {
      const state = isFailed ? 'failed' : 'ok'
      const name = object.replace(` ${technical}/`, ' ')
      return [
        `${clockText(at, now)} ${paint(marks[state], state)} ${printable(name)}  ${printable(text)}`,
        ...details.map(detail => `    ${printable(detail)}`),
      ]
    })
    .map(line => `${line}\n`)
    .join('')
