import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { createActivator } from './activator.ts'
import type { RunningFunction } from './seed-function.ts'

const setUp = (start: () => Promise<RunningFunction>) => {
  const clock = virtualClock(0)
  const changes: string[] = []
  const activator = createActivator({
    starterOf: name => (name === 'fn' ? start : undefined),
    clock,
    idleMs: 1_000,
    onChange: change => changes.push(`${clock.now()} ${change}`),
  })
  return { clock, changes, activator }
}

test('a replaced function ends once it has answered, and its next event starts the new one', async () => {
  const ended: string[] = []
  let count = 0
  const { changes, activator } = setUp(async () => {
    const name = `http://${++count}`
    return { url: name, close: async () => void ended.push(name) }
  })
  expect(await activator.url('fn')).toBe('http://1')
  await activator.restart('fn')
  expect(ended).toEqual(['http://1'])
  expect(await activator.url('fn')).toBe('http://2')
  expect(changes).toEqual(['0 woke', '0 renewed', '0 woke'])
  await expect(activator.url('other')).rejects.toThrow('the sandbox has no function other')
})

test('the idle time of a function begins when it runs, however long its start takes', async () => {
  const started = Promise.withResolvers<RunningFunction>()
  const { clock, changes, activator } = setUp(() => started.promise)
  const url = activator.url('fn')
  await clock.advance(5_000)
  started.resolve({ url: 'http://fn', close: async () => {} })
  expect(await url).toBe('http://fn')
  activator.answered('fn')
  await clock.advance(1_000)
  expect(changes).toEqual(['5000 woke', '6000 slept'])
})

test('a working function does not sleep, and idles from its last answer on', async () => {
  const { clock, changes, activator } = setUp(async () => ({ url: 'http://fn', close: async () => {} }))
  await activator.url('fn')
  await activator.url('fn')
  await clock.advance(5_000)
  activator.answered('fn')
  await clock.advance(5_000)
  activator.answered('fn')
  await clock.advance(999)
  await activator.url('fn')
  await clock.advance(5_000)
  activator.answered('fn')
  await clock.advance(1_000)
  expect(changes).toEqual(['0 woke', '16999 slept'])
})

test('a failed start is reported only to the caller that needed it', async () => {
  const started = Promise.withResolvers<RunningFunction>()
  const { activator } = setUp(() => started.promise)
  const url = activator.url('fn')
  const closed = activator.close()
  started.reject(new Error('no such setting'))
  await expect(url).rejects.toThrow('no such setting')
  await closed
  expect(activator.isAwake('fn')).toBe(false)
})

test('a crashed function is reported as dead, not as asleep, and the next event starts it', async () => {
  const ended = Promise.withResolvers<void>()
  let starts = 0
  const { clock, changes, activator } = setUp(async () => {
    starts++
    return {
      url: `http://fn-${starts}`,
      close: async () => {},
      ...(starts === 1 && { ended: ended.promise }),
    }
  })
  await activator.url('fn')
  ended.resolve()
  await clock.advance(1)
  activator.answered('fn')
  expect(await activator.url('fn')).toBe('http://fn-2')
  activator.answered('fn')
  await clock.advance(1_000)
  expect(changes).toEqual(['0 woke', '0 died', '1 woke', '1001 slept'])
})
