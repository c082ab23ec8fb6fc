import { expect, test } from 'vitest'
import { causeOf } from '../../../shared/text/cause-of.ts'
import type { TreeNode } from '../../observe/observe.ts'
import type { StepBar } from '../model/history.ts'
import { byCause, causeRows } from './by-cause.ts'
import type { ListedShoot } from './filter-shoots.ts'
import { foldedSteps, stepRuns } from './fold-steps.ts'
import { isOverdue } from './is-overdue.ts'

test('equal causes differ by names, ids and times only', () => {
  const of = (shoot: string, id: string, time: string) =>
    causeOf(`deleting ${id} of shoot--dev--${shoot} for 3 min, since ${time}: DependencyViolation\nmore`, {
      namespace: `shoot--dev--${shoot}`,
      name: shoot,
    })
  expect(of('rose', 'vpc-0a1b2c3d4e', '2026-11-21T02:53:07.123Z')).toBe(
    'deleting ‹id› of ‹shoot› for ‹time›, since ‹time›: DependencyViolation more',
  )
  expect(of('lily', 'vpc-ffffffff00', '02:59:00Z')).toBe(
    of('rose', 'vpc-0a1b2c3d4e', '2026-11-21T02:53:07.123Z'),
  )
  expect(causeOf('limit 5 reached', { name: 'a' })).not.toBe(causeOf('limit 6 reached', { name: 'a' }))
})

const shoot = (id: string, ...causes: readonly string[]): ListedShoot => ({
  id,
  now: {
    ...{ n: 1, at: 1, state: 'failed', failed: causes.length, objects: 3 },
    problems: causes.map(cause => ({ cause, codes: ['ERR_A'] })),
  },
})

test('the most frequent cause is first, and a shoot is below each of its causes', () => {
  const fine: ListedShoot = { id: 'fine', now: { n: 1, at: 1, state: 'ok', failed: 0, objects: 3 } }
  const groups = byCause([shoot('a', 'one'), fine, shoot('b', 'two', 'one'), shoot('c', 'one')])
  expect(groups.map(({ cause, codes, shoots }) => [cause, codes, shoots.map(({ id }) => id)])).toEqual([
    ['one', ['ERR_A'], ['a', 'b', 'c']],
    ['two', ['ERR_A'], ['b']],
  ])
  const lines = causeRows(groups, new Set([groups[0]?.id ?? '']))
  expect(lines.map(row => ('shoot' in row ? row.shoot.id : [row.group.cause, row.isOpen]))).toEqual([
    ['one', false],
    ['two', true],
    'b',
  ])
})

test('failed steps in a row with the same error are one run, others are not', () => {
  const step = (n: number, outcome: string, reason?: string): StepBar => ({
    ...{ n, at: n, object: 'A a/b', ms: 1, function: 'f', operation: 'reconcile', event: '', calls: [] },
    outcome,
    reason,
  })
  const request = (digit: string) => `request ${digit.repeat(8)}-0000-4a4a-9b9b-aaaabbbbcccc was refused`
  const runs = stepRuns([
    step(1, 'failed', request('1')),
    step(2, 'failed', request('2')),
    step(3, 'succeeded'),
    step(4, 'succeeded'),
    step(5, 'failed', request('3')),
    step(6, 'failed', 'another error'),
  ])
  expect(runs.map(run => run.map(({ n }) => n))).toEqual([[1, 2], [3], [4], [5], [6]])
})

test('a tree has one line for steps that failed alike, with the id of the last', () => {
  const node = (id: string, why: string): TreeNode => ({
    ...{ id, kind: 'step', title: 'step reconcile of f', state: 'failed', why, children: [] },
  })
  const folded = foldedSteps([node('1', 'no route'), node('2', 'no route'), node('3', 'no subnet')])
  expect(folded.map(({ id, title }) => [id, title])).toEqual([
    ['2', '2 steps, same error: step reconcile of f'],
    ['3', 'step reconcile of f'],
  ])
})

test('an object is overdue if its next step is due and has not begun for a while', () => {
  const next = { what: 'reconcile', at: 10 }
  expect(isOverdue({ state: 'waiting', next }, 10)).toBe(true)
  expect(isOverdue({ state: 'failed', next }, 10)).toBe(true)
  expect(isOverdue({ state: 'working', next }, 10)).toBe(false)
  expect(isOverdue({ state: 'waiting', next }, 9)).toBe(false)
  expect(isOverdue({ state: 'waiting', next: { what: 'reconcile' } }, 10)).toBe(false)
})
