import type { Timestamp } from '../../../shared/clock/clock.ts'
import { printable } from '../../../shared/text/printable.ts'
import type { SeedView } from '../seed-view.ts'
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
      const state = object === '' ? 'unknown' : isFailed ? 'failed' : 'ok'
      const name = object.replace(` ${technical}/`, ' ')
      return [
        `${clockText(at, now)} ${paint(marks[state], state)} ${printable(name === '' ? text : `${name}  ${text}`)}`,
        ...details.map(detail => `    ${printable(detail)}`),
      ]
    })
    .map(line => `${line}\n`)
    .join('')

/** Says what the times between the rows of a journal mean. Empty for a cluster. */
export const recordedText = ({ at, recorded }: Pick<SeedView, 'at' | 'recorded'>): string =>
  recorded === undefined
    ? ''
    : `Recorded from ${clockText(recorded.from, at)} to ${clockText(at, at)}. Between these lines, no step of this shoot is recorded. A journal does not show what others change in a cloud: trellis drift compares the present.\n`
