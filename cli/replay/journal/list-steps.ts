import { formatMilliseconds } from '../../../shared/clock/clock.ts'
import { cutText } from '../../../shared/text/cut-text.ts'
import { printable } from '../../../shared/text/printable.ts'
import type { RecordedStep } from './recorded-step.ts'

/** Letters of an error in the list. */
const shownError = 100

/** Returns a table of steps for users: id, time, object, operation, and outcome with its duration. */
export const listSteps = (steps: readonly RecordedStep[]): string => {
  const rows = steps.map(({ id, at, object, operation, outcome, event }) => [
    id,
    formatMilliseconds(at),
    object,
    operation,
    `${outcome.how}${outcome.ms === undefined ? '' : ` in ${Math.round(outcome.ms)} ms`}`,
    [
      ...(outcome.error ? [cutText(outcome.error.text, shownError)] : []),
      ...(event === undefined ? ['cannot be replayed: its object is not in the journal'] : []),
    ].join('; '),
  ])
  const table = [['STEP', 'BEGAN', 'OBJECT', 'OPERATION', 'OUTCOME', ''], ...rows].map(row =>
    row.map(printable),
  )
  const widths = [0, 1, 2, 3, 4].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)))
  return table
    .map(
      row =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
