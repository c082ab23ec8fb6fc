import { expect, test } from 'vitest'
import type { StepReport } from '../../journal/journal.ts'
import { stepQueue } from './step-queue.ts'

const report = (event: number, args = ''): StepReport => ({
  ...{
    event: String(event),
    function: 'f',
    object: 'A b',
    operation: 'reconcile',
    ms: 1,
    outcome: 'succeeded',
  },
  began: '2026-11-21T12:00:00.000Z',
  calls: Array.from({ length: 100 }, () => ({
    ...{ to: 'cloud' as const, name: 'ec2 X', args, after: 0, ms: 0, status: '200' },
  })),
})
const ids = (reports: readonly StepReport[]) => reports.map(({ event }) => Number(event))

test('steps are taken in their order, as many as fit into one report', () => {
  const queue = stepQueue(() => {})
  for (let event = 0; event < 10; event++) queue.push(report(event, 'x'.repeat(500)))
  const all: number[] = []
  while (queue.size() > 0) {
    const taken = queue.take()
    expect(JSON.stringify(taken).length).toBeLessThan(256 * 1024)
    expect(taken.length).toBeGreaterThan(0)
    all.push(...ids(taken))
  }
  expect(all).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('without room the oldest steps are lost and counted', () => {
  let lost = 0
  const queue = stepQueue(() => lost++)
  for (let event = 0; event < 100; event++) queue.push(report(event, 'x'.repeat(500)))
  expect(lost).toBeGreaterThan(50)
  expect(queue.size()).toBe(100 - lost)
  expect(ids(queue.take())[0]).toBe(lost)
})

test('steps that were given back are taken first', () => {
  const queue = stepQueue(() => {})
  queue.push(report(0))
  const taken = queue.take()
  queue.push(report(1))
  queue.giveBack(taken)
  expect(ids(queue.take())).toEqual([0, 1])
})
