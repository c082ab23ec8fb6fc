import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { endWithin } from './end-within.ts'

const setUp = () => {
  const clock = virtualClock(0)
  const notices: string[] = []
  const ended = Promise.withResolvers<void>()
  const closing = endWithin(
    {
      close: () => ended.promise,
      kill: async () => ended.resolve(),
    },
    { clock, onWait: () => notices.push('waits'), onKill: () => notices.push('killed') },
  )
  return { clock, notices, ended, closing }
}

test('a process that ends at once is not reported, and no timer remains', async () => {
  const { clock, notices, ended, closing } = setUp()
  ended.resolve()
  await closing
  await clock.advance(100_000)
  expect(notices).toEqual([])
})

test('a process with a running step is reported, and not killed while the step may run', async () => {
  const { clock, notices, ended, closing } = setUp()
  await clock.advance(67_000)
  expect(notices).toEqual(['waits'])
  ended.resolve()
  await closing
  await clock.advance(100_000)
  expect(notices).toEqual(['waits'])
})

test('a process that never ends is killed', async () => {
  const { clock, notices, closing } = setUp()
  await clock.advance(70_000)
  await closing
  expect(notices).toEqual(['waits', 'killed'])
})
