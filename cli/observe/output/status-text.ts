import type { Timestamp } from '../../../shared/clock/clock.ts'
import { printable } from '../../../shared/text/printable.ts'
import { causesOf } from '../causes.ts'
import type { ShootStatus } from '../seed-status.ts'
import { clockText, durationText } from '../time-text.ts'
import { detailsOf, headOf, marks, nextAsText, type PaintState, runMark } from './text.ts'

/** Formats the status of a seed for readers: one line for each shoot, and below it the objects that are not fine. */
export const statusAsText = (
  all: readonly ShootStatus[],
  now: Timestamp,
  paint: PaintState,
  unread: readonly string[] = [],
): string => {
  if (all.length === 0 && unread.length > 0)
    return `${paint(marks.unknown, 'unknown')} No shoot was found, but not everything could be read.\n`
  if (all.length === 0) return 'No shoots and no extension objects were found.\n'
  return [...all.flatMap(one => linesOf(one, now, paint)), '', summaryOf(all)]
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

/** Formats what fails for readers: each cause with its shoots. */
export const causesAsText = (
  all: readonly ShootStatus[],
  now: Timestamp,
  paint: PaintState,
  unread: readonly string[] = [],
): string => {
  const causes = causesOf(all)
  if (causes.length === 0)
    return unread.length > 0 ? statusAsText(all, now, paint, unread) : 'Nothing fails.\n'
  const lines = causes.flatMap(({ text, codes, fix, since, failures }) => [
    `${paint(marks.failed, 'failed')} ${counted(new Set(failures.map(({ shoot }) => shoot)).size, 'shoot')}`,
    ...detailsOf({ error: { text, codes, ...(fix && { fix }), ...(since && { since }) } }, now).map(
      line => `    ${line}`,
    ),
    ...failures.flatMap(({ shoot, object, since, why, next, run }) => {
      const name = object === undefined ? shoot : `${shoot}  ${object}`
      const held = next?.at === undefined && why !== undefined ? `, ${why}` : ''
      const then = next === undefined || held !== '' ? '' : `, next: ${nextAsText(next, now)}`
      const line = `    ${printable(name)}${since === undefined ? '' : `, since ${clockText(since, now)}`}${printable(held)}${then}`
      return [line, ...(run === undefined ? [] : [`      ${runMark}${printable(run)}`])]
    }),
  ])
  return [...lines, '', `${counted(causes.length, 'cause')}. ${summaryOf(all)}`]
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

const linesOf = (
  { title, state, detail, since, error, why, next, run, objects, troubled }: ShootStatus,
  now: Timestamp,
  paint: PaintState,
): readonly string[] => {
  const facts = [
    counted(objects, 'object'),
    ...(detail === undefined ? [] : [printable(detail)]),
    ...(since === undefined ? [] : [`${durationText(now - since)} ago`]),
  ]
  return [
    `${paint(marks[state], state)} ${printable(title)}  ${facts.join(', ')}`,
    ...detailsOf({ error, why, next, run }, now).map(line => `    ${line}`),
    ...troubled.flatMap(node => [
      `  ${headOf(node, now, paint)}`,
      ...detailsOf(node, now).map(line => `      ${line}`),
    ]),
  ]
}

const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

/** `3 shoots: 1 fails, 1 waits, 1 fine.` */
const summaryOf = (all: readonly ShootStatus[]): string => {
  const shoots = all.filter(({ shoot }) => shoot !== undefined)
  const count = (state: ShootStatus['state']) => shoots.filter(one => one.state === state).length
  const [failed, waiting, working, unknown] = [
    count('failed'),
    count('waiting'),
    count('working'),
    count('unknown'),
  ]
  const parts = [
    ...(failed === 0 ? [] : [`${failed} failing`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting`]),
    ...(working === 0 ? [] : [`${working} at work`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    `${shoots.length - failed - waiting - working - unknown} fine`,
  ]
  return `${counted(shoots.length, 'shoot')}: ${parts.join(', ')}.`
}
