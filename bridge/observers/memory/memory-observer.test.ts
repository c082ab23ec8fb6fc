import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { createMemoryObserver } from './memory-observer.ts'

const setUp = () => {
  const clock = virtualClock(0)
  let released = 0
  const observer = createMemoryObserver(clock, () => released++)
  return { clock, observer, released: () => released }
}
const led = { type: 'leadership', leading: true } as BridgeEvent

test('memory is released after the first list', async () => {
  const { clock, observer, released } = setUp()
  observer.event({ type: 'synced', resource: 'dnsrecords', objects: 1 })
  await clock.advance(10_000)
  expect(released()).toBe(1)
})

test('memory is released when many events are followed by a pause, not after few', async () => {
  const { clock, observer, released } = setUp()
  for (let event = 0; event < 499; event++) observer.event(led)
  await clock.advance(60_000)
  expect(released()).toBe(0)
  observer.event(led)
  await clock.advance(10_000)
  expect(released()).toBe(1)
  observer.close()
})
