import type { Timestamp } from '../../shared/clock/clock.ts'
import { formatMilliseconds } from '../../shared/clock/clock.ts'
import { printable } from '../../shared/text/printable.ts'
import type { WaitingRow } from '../core/core.ts'

export const dumpFormats = ['table', 'json'] as const
export type DumpFormat = (typeof dumpFormats)[number]

/**
 * Formats the waiting objects as a table for users (`table`) or one JSON object per line (`json`), with the longest
 * wait first.
 */
export const dumpText = (rows: readonly WaitingRow[], format: DumpFormat, now: Timestamp): string => {
  const sorted = rows.toSorted((a, b) => a.since - b.since)
  return format === 'json'
    ? sorted.map(row => `${JSON.stringify(dumpRow(row))}\n`).join('')
    : tableOf(sorted, now)
}

/** Returns a row with formatted times. */
export const dumpRow = ({ since, at, lastError, ...row }: WaitingRow): Readonly<Record<string, unknown>> => ({
  ...row,
  ...(lastError === '' ? {} : { lastError }),
  since: formatMilliseconds(since),
  ...(at === undefined ? {} : { at: formatMilliseconds(at) }),
})

const tableOf = (rows: readonly WaitingRow[], now: Timestamp): string => {
  if (rows.length === 0) return 'No object needs work.\n'
  const cells = [
    ['KIND', 'OBJECT', 'STATE', 'OPERATION', 'REASON', 'ATTEMPT', 'AGE', 'NEXT', 'WHY', 'LAST ERROR'],
    ...rows.map(row => [
      row.kind,
      row.object,
      row.state,
      row.operation,
      row.reason,
      String(row.attempt),
      age(now - row.since),
      row.at === undefined ? '' : `in ${age(row.at - now)}`,
      row.why,
      row.lastError === row.why ? '' : row.lastError,
    ]),
  ].map(line => line.map(printable))
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0))) ?? []
  return cells
    .map(
      line =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** `90s`, `15m`, `3h`, `12d`. A larger unit is used from two units on. */
const age = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.round(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`
}
