import { printable } from '../../shared/text/printable.ts'
import { nameOf } from '../plan/plan-one.ts'
import type { Comparison } from './compare-versions.ts'
import { type ComparedObject, type DifferenceGroup, groupDifferences } from './group-differences.ts'
import type { UpgradeEffect } from './plan-differences.ts'

const titles: Readonly<Record<UpgradeEffect, string>> = {
  roll: 'Nodes roll',
  'roll anyway': 'Nodes roll with either version, at the next reconcile',
  class: 'New classes of pools without machines',
  delete: 'Deletes',
  replace: 'Replaces',
  refuse: 'Refuses what was accepted',
  write: 'Writes',
  status: 'Changes a status',
  accept: 'Accepts what was refused',
  stop: 'No longer does',
}

export interface UpgradeReport {
  readonly from: string
  readonly to: string
  readonly comparison: Comparison
}

/** Returns the report as text. */
export const reportText = ({ from, to, comparison }: UpgradeReport): string => {
  const { objects, shoots, unread, unplanned } = comparison
  const groups = groupDifferences(objects)
  const unknown = objects.filter(one => one.unknown !== undefined)
  const lines = [
    `Upgrade from ${from} to ${to}: ${countOf(objects.length, 'object')} of ${countOf(shoots, 'shoot')}`,
    ...[...Map.groupBy(groups, ({ effect }) => effect)].flatMap(([effect, all]) => [
      '',
      titles[effect],
      ...all.flatMap(group => groupLines(group, objects)),
    ]),
    ...(unknown.length === 0 ? [] : ['', 'Not known']),
    ...unknown.map(one => `  ${nameOf({ kind: one.kind, metadata: one })}: ${one.unknown}`),
    ...(unread.length === 0 && unplanned.length === 0 ? [] : ['']),
    ...unread.map(what => `Could not read ${what}. Its objects are not planned.`),
    ...unplanned.map(
      ({ kind, type, count }) => `Not planned: ${countOf(count, kind)} of type ${type}, which has no plan.`,
    ),
    '',
    summaryOf(comparison, groups),
  ]
  return `${lines.map(line => printable(line)).join('\n')}\n`
}

const summaryOf = ({ objects }: Comparison, groups: readonly DifferenceGroup[]): string => {
  const differing = objects.filter(({ differences = [] }) => differences.length > 0).length
  const unknown = objects.filter(one => one.unknown !== undefined).length
  const machines = groups.reduce((sum, group) => sum + group.machines, 0)
  const refused = groups
    .filter(({ effect }) => effect === 'refuse')
    .reduce((sum, one) => sum + one.objects.length, 0)
  return [
    differing === 0 ? 'Nothing differs' : `${differing} of ${countOf(objects.length, 'object')} differ`,
    ...(machines > 0 ? [`${countOf(machines, 'machine')} replaced`] : []),
    ...(refused > 0 ? [`${countOf(refused, 'object')} refused`] : []),
    ...(unknown > 0 ? [`${unknown} not known`] : []),
  ].join(', ')
}

/** The most names of a group; the rest is counted. */
const mostNames = 3

const groupLines = (group: DifferenceGroup, all: readonly ComparedObject[]): readonly string[] => {
  const { kind, sentence, lines, machines, objects } = group
  const total = all.filter(one => one.kind === kind).length
  const names = objects
    .slice(0, mostNames)
    .map(
      ({ namespace, name, pools }) =>
        `${namespace === undefined ? '' : `${namespace}/`}${name}${pools === undefined ? '' : ` (${pools.join('; ')})`}`,
    )
  const more = objects.length - names.length
  const where = `in ${objects.length} of ${countOf(total, kind)}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const counted = machines > 0 ? `${sentence}: ${countOf(machines, 'machine')}` : sentence
  return [`  ${counted}`, ...lines.map(line => `      ${line}`), `    ${where}`]
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Returns the report as plain data: the groups, and each object with its differences. */
export const reportJson = ({ from, to, comparison }: UpgradeReport): object => ({
  from,
  to,
  shoots: comparison.shoots,
  groups: groupDifferences(comparison.objects),
  objects: comparison.objects.filter(
    ({ differences, unknown }) => unknown !== undefined || differences?.length,
  ),
  planned: comparison.objects.length,
  unread: comparison.unread,
  unplanned: comparison.unplanned,
})
