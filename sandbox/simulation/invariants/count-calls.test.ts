import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { Exchange } from '../process/exchange.ts'
import type { RunningCode } from '../process/process.ts'
import { countCalls } from './count-calls.ts'
import { createProblems } from './invariant.ts'

const setUp = () => {
  const clock = virtualClock(0)
  const problems = createProblems()
  const count = countCalls(problems, clock)
  const calls = (times: number, event: string, way = 'cloud') => {
    const step = { kind: 'Infrastructure', namespace: 'shoot--a--b', name: 'c', event }
    for (let time = 0; time < times; time++)
      count({ process: { name: 'one' }, step } as unknown as RunningCode, { way } as Exchange)
  }
  return { clock, problems, calls }
}

test('a step may make 400 calls to its cloud', () => {
  const { problems, calls } = setUp()
  calls(400, 'first')
  calls(1_000, 'first', 'kubernetes')
  expect(problems.all()).toEqual([])
  calls(1, 'first')
  expect(problems.all()).toEqual([expect.stringContaining('shoot--a--b/c made more than 400 calls')])
})

test('the steps of an object may make 8,000 calls in an hour, and as many in the next', async () => {
  const { clock, problems, calls } = setUp()
  const hour = () => {
    for (let step = 0; step < 20; step++) calls(400, `${clock.now()} ${step}`)
  }
  hour()
  await clock.advance(3_600_000)
  hour()
  expect(problems.all()).toEqual([])
  calls(1, 'last')
  expect(problems.all()).toEqual([expect.stringContaining('more than 8000 calls in an hour')])
})
