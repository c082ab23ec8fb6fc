import { printable } from '../../shared/text/printable.ts'
import type { Diagnosis } from './diagnosis.ts'
import { type AreaReport, exitCodeOfReport } from './run-checks.ts'

const marks = { ok: '✓', warning: '!', problem: '✗', skipped: '?' } as const satisfies Readonly<
  Record<Diagnosis['state'], string>
>

const colors = { ok: 32, warning: 33, problem: 31, skipped: 90 } as const satisfies Readonly<
  Record<Diagnosis['state'], number>
>

const countOf = (report: readonly AreaReport[], state: Diagnosis['state']): number =>
  report
    .flatMap(({ diagnoses }) => diagnoses)
    .filter(one => one.state === state)
    .reduce((sum, { checks = 1 }) => sum + checks, 0)

/** Formats the report for users: each area with its results, and the advice below each problem. */
export const reportAsText = (report: readonly AreaReport[], colored: boolean): string => {
  const paint = (text: string, code: number) => (colored ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = report.flatMap(({ area, diagnoses }) => [
    paint(printable(area), 1),
    ...diagnoses.flatMap(({ state, text, advice }) => [
      `  ${paint(marks[state], colors[state])} ${printable(text)}`,
      ...(advice === undefined ? [] : [`    → ${printable(advice)}`]),
    ]),
  ])
  return [...lines, '', `${summaryOf(report)}\n`].join('\n')
}

const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

const summaryOf = (report: readonly AreaReport[]): string => {
  const problems = countOf(report, 'problem')
  const skipped = countOf(report, 'skipped')
  const parts = [
    problems > 0
      ? counted(problems, 'problem')
      : exitCodeOfReport(report) === 2
        ? 'Not known to be well'
        : 'No problems',
    counted(countOf(report, 'warning'), 'warning'),
    ...(skipped === 0 ? [] : [`${counted(skipped, 'check')} skipped`]),
  ]
  return `${parts.join(', ')}.`
}

/** Returns the report for programs: areas with the state, text and advice of each diagnosis. */
export const reportForPrograms = (report: readonly AreaReport[]) => ({
  ok: exitCodeOfReport(report) === 0,
  areas: report,
})
