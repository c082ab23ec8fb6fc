import { expect, test } from 'vitest'
import { virtualClock } from '../../../clock/clock.ts'
import { cacheShoots } from './cache-shoots.ts'

const newShoots = () => {
  const clock = virtualClock(Date.parse('2026-11-22T12:00:00Z'))
  const opened: string[] = []
  const closed: string[] = []
  const gates = new Map<string, Promise<void>>()
  const shoots = cacheShoots(async namespace => {
    const nth = opened.push(namespace)
    await gates.get(namespace)
    return {
      kubernetes: { get: async () => undefined, list: async () => ({ items: [], resourceVersion: '1' }) },
      close: () => void closed.push(`${namespace} ${nth}`),
    }
  }, clock)
  const { signal } = new AbortController()
  return { clock, opened, closed, gates, shoots, open: (namespace: string) => shoots.open(namespace, signal) }
}

test('reviews of a shoot share one connection, in sequence and concurrently', async () => {
  const { clock, opened, closed, open } = newShoots()
  const [first, second] = await Promise.all([open('a'), open('a')])
  first.close()
  second.close()
  await clock.advance(29_000)
  ;(await open('a')).close()
  expect(opened).toEqual(['a'])
  expect(closed).toEqual([])
})

test('a connection is closed after half a minute without a review, and never during one', async () => {
  const { clock, opened, closed, open } = newShoots()
  const long = await open('a')
  await clock.advance(120_000)
  expect(closed).toEqual([])
  long.close()
  long.close()
  await clock.advance(30_000)
  expect(closed).toEqual(['a 1'])
  ;(await open('a')).close()
  expect(opened).toEqual(['a', 'a'])
  expect(clock.pending()).toHaveLength(1)
})

test('the sixteen most recently used connections remain open', async () => {
  const { clock, closed, opened, open } = newShoots()
  for (let index = 1; index <= 17; index++) (await open(`shoot ${index}`)).close()
  await clock.advance(0)
  expect(closed).toEqual(['shoot 1 1'])
  ;(await open('shoot 2')).close()
  expect(opened).toHaveLength(17)
})

test('a connection in constant use is reopened after five minutes', async () => {
  const { clock, opened, closed, open } = newShoots()
  for (let seconds = 0; seconds < 300; seconds += 20) {
    ;(await open('a')).close()
    await clock.advance(20_000)
  }
  expect(opened).toHaveLength(1)
  const next = await open('a')
  await clock.advance(0)
  expect([opened.length, closed]).toEqual([2, ['a 1']])
  next.close()
})

test('a shoot that could not be opened is retried by the next review', async () => {
  const { gates, opened, open } = newShoots()
  gates.set('a', Promise.reject(new Error('away')))
  await expect(open('a')).rejects.toThrow('away')
  gates.delete('a')
  await open('a')
  expect(opened).toEqual(['a', 'a'])
})

test('an aborted review waits for no shoot, and the next one uses its connection', async () => {
  const { gates, opened, shoots, open } = newShoots()
  const gate = Promise.withResolvers<void>()
  gates.set('a', gate.promise)
  const gone = new AbortController()
  const waiting = shoots.open('a', gone.signal)
  gone.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
  gate.resolve()
  await open('a')
  expect(opened).toEqual(['a'])
})

test('a shutdown closes all connections after their reviews, and leaves no timer', async () => {
  const { clock, closed, shoots, open } = newShoots()
  ;(await open('a')).close()
  const used = await open('b')
  shoots.close()
  await clock.advance(0)
  expect(closed).toEqual(['a 1'])
  used.close()
  await clock.advance(0)
  expect(closed).toEqual(['a 1', 'b 2'])
  expect(clock.pending()).toEqual([])
})
