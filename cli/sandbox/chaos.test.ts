import { expect, test } from 'vitest'
import { awsFault } from '../../sandbox/providers/aws/aws-fault.ts'
import { createFaultList, faultSchema } from '../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { chaosFaults, runChaos } from './chaos.ts'

const first = (seed: number, count = 50) => {
  const faults = chaosFaults(seed, awsFault)
  return Array.from({ length: count }, () => {
    const { afterMs, fault } = faults.next().value
    return { afterMs, ...fault }
  })
}

test('equal seeds give equal faults, different seeds different ones', () => {
  expect(first(7)).toEqual(first(7))
  expect(first(7)).not.toEqual(first(8))
})

test('faults are of all kinds, and valid for the simulator', () => {
  const faults = first(1, 200)
  for (const { order } of faults) faultSchema.parse(order)
  expect(new Set(faults.map(({ order }) => `${order.effect.kind} ${order.when ?? ''}`))).toEqual(
    new Set(['throttle ', 'error ', 'drop before', 'drop after', 'delay ']),
  )
})

test('chaos logs each fault, injects some at once and none without calls, and ends with the signal', async () => {
  const clock = virtualClock(0)
  const faults = createFaultList(clock)
  const lines: string[] = []
  const stop = new AbortController()
  let calls = 0
  const running = runChaos(
    {
      seed: 3,
      faultBy: random => {
        const { order, text } = awsFault(random)
        return { text, order: () => faults.add(order) }
      },
      calls: () => calls,
      clock,
      print: text => lines.push(text),
    },
    stop.signal,
  )
  await clock.advance(0)
  expect(lines).toEqual(first(3, 3).map(({ text }) => text))
  await clock.advance(120_000)
  expect(lines).toHaveLength(3)
  for (let count = 0; count < 9; count++) {
    calls++
    await clock.advance(10_000)
  }
  expect(lines).toEqual(first(3, 12).map(({ text }) => text))
  const last = first(3, 12).slice(-3)
  expect(faults.pending().map(({ action }) => action)).toEqual(last.map(({ order }) => order.action))
  stop.abort()
  await running
})
