import { inShell } from '../../shared/text/in-shell.ts'
import { pluralTitle } from '../../shared/text/plural-title.ts'
import { printable } from '../../shared/text/printable.ts'
import { withoutNames } from '../../shared/text/without-names.ts'
import { marks, type PaintState, pathOf, runMark } from '../observe/observe.ts'
import { nameOf } from '../plan/plan-one.ts'
import type { DriftedObject, DriftNote, DriftReport } from './drift.ts'

/** Formats a report for readers. Objects with equal findings, apart from their names and ids, share one. */
export const driftAsText = (report: DriftReport, paint: PaintState): string => {
  const { drifted, pending, unknown, beside, missing, unplanned, ended, next } = report
  const lines = [
    ...folded(drifted, one => [one.text, ...staysIn(one), writersLine(one), one.resume].join('\n')).flatMap(
      ([first, others]) => [
        `${paint(marks.failed, 'failed')} ${nameIn(first)} has drifted. The next reconcile:`,
        // The plan is printable, and has colours.
        ...first.text
          .trimEnd()
          .split('\n')
          .map(line => `    ${line}`.trimEnd()),
        ...staysIn(first).map(text => `    Stays: ${text}`),
        `    ${writersLine(first)}`,
        ...(others.length === 0 ? [] : [`    The same: ${listOf(others)}`]),
        ...(first.resume === undefined
          ? ['    None is requested. To start it:', `    ${runMark}trellis reconcile ${pathIn(first)}`]
          : [
              '    It is paused, so none begins. To end the pause:',
              `    ${runMark}${printable(first.resume)}`,
            ]),
      ],
    ),
    ...notesOf('waiting', pending, paint),
    ...notesOf('unknown', unknown, paint),
    ...notesOf('ok', beside, paint),
    ...missing.map(text => `${paint(marks.unknown, 'unknown')} ${printable(text)}`),
    ...unplanned.map(
      ({ kind, type, count }) => `Without a plan: ${count} ${pluralTitle(kind)} of type ${printable(type)}`,
    ),
    ...(ended === undefined
      ? []
      : [
          `${paint(marks.unknown, 'unknown')} ${printable(ended)}.${next === undefined ? '' : ` Continue with --after ${printable(inShell(next))}`}`,
        ]),
    ...(drifted.length === 0 ? [] : ['', 'Changes are found → wanted.']),
    summaryOf(report),
  ]
  return `${lines.join('\n')}\n`
}

const staysIn = ({ untouched }: DriftedObject): readonly string[] =>
  untouched.flatMap(one => (typeof one === 'string' ? [printable(one)] : []))

/** The names of programs, and never of persons: anybody may use one. */
const writersLine = ({ writers }: DriftedObject): string =>
  writers.length === 0
    ? 'Changed by: not recorded here. The audit log of its cloud or of the API server may say it.'
    : `Changed by: ${writers.map(({ object, program, at }) => `${printable(program)} at ${printable(at)} (${printable(object)})`).join('; ')}. These are programs; the audit log may name the user.`

const notesOf = (
  state: 'waiting' | 'unknown' | 'ok',
  notes: readonly DriftNote[],
  paint: PaintState,
): readonly string[] =>
  folded(notes, ({ why }) => why).map(
    ([first, others]) =>
      `${paint(marks[state], state)} ${listOf([first, ...others])}: ${printable(first.why)}`,
  )

const folded = <T extends DriftNote | DriftedObject>(
  all: readonly T[],
  textOf: (one: T) => string,
): readonly (readonly [T, readonly T[]])[] => {
  const groups = Map.groupBy(all, one => `${one.kind} ${withoutNames(textOf(one), one)}`)
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, others]]))
}

/** The most names in one line; `-o json` has all. */
const mostNames = 3

const listOf = (all: readonly (DriftNote | DriftedObject)[]): string => {
  const more = all.length - mostNames
  const names = all.slice(0, mostNames).map(nameIn).join(', ')
  return more > 0 ? `${names} and ${more} more` : names
}

const nameIn = ({ kind, ...metadata }: DriftNote | DriftedObject): string =>
  printable(nameOf({ kind, metadata }))

const pathIn = ({ kind, namespace, name }: DriftedObject): string =>
  printable(inShell(pathOf({ kind, metadata: { name, ...(namespace !== undefined && { namespace }) } })))

/** `12 objects: 1 drifted, 2 pending, 9 as applied.` */
const summaryOf = ({ drifted, pending, unknown, same, total }: DriftReport): string => {
  const rest = total - drifted.length - pending.length - unknown.length - same
  const counts = [
    [drifted.length, 'drifted'],
    [pending.length, 'pending'],
    [unknown.length, 'unknown'],
    [rest, 'not compared'],
  ] as const
  const named = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return `${total} object${total === 1 ? '' : 's'}: ${[...named, `${same} as applied`].join(', ')}.`
}
