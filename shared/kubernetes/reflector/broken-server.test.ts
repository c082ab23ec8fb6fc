import { expect, test } from 'vitest'
import { bench, gone, modified } from '../testing/reflector-bench.ts'

const oneMinute = 60_000
/** Five at once, then five each ten seconds. */
const mostInAMinute = 35

test('lists of which each is older than the one before are limited in number', async () => {
  let version = 1_000_000
  const { clock, lists, latest } = await bench(server => {
    const { list } = server.kubernetes
    server.kubernetes.list = async (...of) => ({ ...(await list(...of)), resourceVersion: String(version--) })
  })
  latest().end(gone)
  await clock.advance(oneMinute)
  expect(lists.length).toBeLessThanOrEqual(mostInAMinute)
  expect(lists.length).toBeGreaterThan(10)
})

test.each([
  ['at once', []],
  ['after an event', [modified('a', 101)]],
])('watches that a server forgets %s cause a limited number of lists', async (_, events) => {
  const { clock, lists, watches } = await bench()
  for (let step = 0; step < 600; step++) {
    const watch = watches.splice(0).at(-1)
    for (const event of events) watch?.send(event)
    watch?.end(gone)
    await clock.advance(100)
  }
  expect(lists.length).toBeLessThanOrEqual(mostInAMinute)
  expect(lists.length).toBeGreaterThan(3)
})

test('streams of existing objects that end too early are limited in number', async () => {
  const { clock, watches } = await bench(undefined, { streamed: true })
  let count = 0
  for (let step = 0; step < 600; step++) {
    count += watches.length
    watches.splice(0).at(-1)?.end()
    await clock.advance(100)
  }
  expect(count).toBeLessThanOrEqual(mostInAMinute)
})

test('pages without objects and without end are given up', async () => {
  const { clock, lists, reflector } = await bench(server => {
    const { list } = server.kubernetes
    server.kubernetes.list = async (...of) => ({ ...(await list(...of)), items: [], continue: 'more' })
  })
  await expect
    .poll(() => clock.advance(0).then(() => reflector.failure()))
    .toMatchObject({
      message: 'the server sent 1000 pages of things without an object',
    })
  expect(lists.length).toBeLessThan(1_100)
})

test('more objects than the limit are refused with a message, in a list and in a watch', async () => {
  const listed = await bench(
    server => {
      for (const name of ['a', 'b', 'c', 'd']) server.put(name)
    },
    { mostObjects: 3 },
  )
  expect(listed.reflector.failure()).toMatchObject({
    message: expect.stringMatching(/^the cluster has more than 3 things, .* Run several bridges/),
  })
  expect(listed.reflector.size()).toBe(3)
  expect(listed.logged).toContain('more objects than a process follows')

  const { clock, reflector, latest, calls } = await bench(server => void server.put('a'), { mostObjects: 1 })
  latest().send(modified('b', 102))
  await clock.advance(0)
  expect(reflector.failure()).toMatchObject({
    message: expect.stringContaining('more than 1 things'),
  })
  latest().send(modified('a', 103))
  await clock.advance(1_000)
  latest().send(modified('a', 104))
  await clock.advance(0)
  expect(calls).toContain('upsert a')
  expect(calls).not.toContain('upsert b')
})
