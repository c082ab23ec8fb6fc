import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/events.ts'
import { createRunner, type Runner } from './create-runner.ts'
import type { RunnerEvent } from './runner-event.ts'
import { type FakeStarter, fakeStarter } from './testing/fake-starter.ts'
import { eventOf, programs } from './testing/sample-programs.ts'

const MiB = 2 ** 20
let clock: VirtualClock
let starter: FakeStarter
let runner: Runner
let free: number | undefined
let observed: RunnerEvent[]
let lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[]

const write = (message: string, fields: object = {}) => {
  lines.push({ message, fields: fields as Record<string, unknown> })
}
const log = { debug: () => {}, info: write, warn: write, error: write }
const lineOf = (message: string) => lines.findLast(line => line.message === message)?.fields

beforeEach(() => {
  clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  starter = fakeStarter()
  free = undefined
  observed = []
  lines = []
  runner = createRunner({
    ...{ programs, starter, clock, log, idleMs: 60_000 },
    freeMemory: () => free,
    observe: event => observed.push(event),
  })
})

afterEach(() => runner.close())

const never = new AbortController().signal
const send = async (event: ExtensionEvent) => {
  const outcome = await runner.send(event, never)
  await clock.advance(0)
  return outcome
}
const ends = () => observed.flatMap(event => (event.type === 'ended' ? [event.reason] : []))
const outcomes = () => observed.flatMap(event => (event.type === 'delivery' ? [event.outcome] : []))

describe('a process', () => {
  test('starts with the first event, serves more, ends when it is idle, and starts again', async () => {
    await clock.advance(3_600_000)
    expect(starter.processes).toHaveLength(0)
    expect(await send(eventOf('a'))).toEqual({ kind: 'accepted' })
    await clock.advance(59_000)
    await send(eventOf('b', 'Worker'))
    expect(starter.processes).toHaveLength(1)
    expect(starter.last().paths).toEqual(['/acme-dnsrecord', '/acme-worker'])
    await clock.advance(59_000)
    expect(runner.isAwake('acme-compact')).toBe(true)
    await clock.advance(1_000)
    expect(starter.last().signals).toEqual(['SIGTERM'])
    expect(ends()).toEqual(['idle'])
    expect(runner.isAwake('acme-compact')).toBe(false)
    await send(eventOf('c'))
    expect(starter.processes).toHaveLength(2)
  })

  test('with the name of its function receives events at /', async () => {
    await send(eventOf('a', 'Network'))
    expect(starter.last().paths).toEqual(['/'])
  })

  test('that ends unexpectedly is replaced, and its events are delivered again', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    starter.last().answer()
    await send(eventOf('b'))
    const [first] = starter.processes
    first?.crash()
    await clock.advance(0)
    expect(lineOf('program ended unexpectedly')).toMatchObject({ why: 'exit code 1' })
    expect(runner.brokenFor()).toBeUndefined()
    await clock.advance(1_000)
    expect(starter.processes).toHaveLength(2)
    expect(starter.last().received).toEqual([eventOf('b').id])
    expect(ends()).toEqual(['crashed'])
  })

  test('that does not start is tried again with growing waits, and holds back no other program', async () => {
    starter.problem = 'the port is occupied'
    await send(eventOf('a'))
    expect(lineOf('program does not start')).toMatchObject({
      why: 'the port is occupied',
      retryInMs: 1_000,
    })
    expect(runner.brokenFor()).toBeUndefined()
    await clock.advance(1_000)
    expect(runner.brokenFor(['acme'])).toBe('acme-compact does not start: the port is occupied')
    expect(runner.brokenFor(['other'])).toBeUndefined()
    for (const [waited, next] of [
      [2_000, 4_000],
      [4_000, 8_000],
      [8_000, 16_000],
      [16_000, 32_000],
      [32_000, 60_000],
      [60_000, 60_000],
    ]) {
      await clock.advance(waited ?? 0)
      expect(lineOf('program does not start')).toMatchObject({ retryInMs: next })
    }
    starter.problem = undefined
    await send(eventOf('b', 'Network'))
    expect(starter.last().program).toBe('other')
    await clock.advance(60_000)
    expect(starter.last().received).toEqual([eventOf('a').id])
    expect(runner.brokenFor()).toBeUndefined()
  })

  test('that crashes at each event waits before it starts again', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    starter.last().crash()
    await clock.advance(0)
    expect(starter.processes).toHaveLength(1)
    await clock.advance(1_000)
    starter.last().crash()
    await clock.advance(0)
    expect(runner.brokenFor()).toMatch(/^acme-compact does not start: exit code 1/)
    await clock.advance(2_000)
    starter.last().answer()
    await clock.advance(0)
    expect(runner.brokenFor()).toBeUndefined()
  })

  test('above its memory limit is stopped, and its events are delivered again', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    const first = starter.last()
    first.memory = 129 * MiB
    first.isStubborn = true
    await clock.advance(3_000)
    expect(lineOf('program exceeds its memory limit')).toMatchObject({ usedMiB: 129, limitMiB: 128 })
    expect(first.signals).toEqual(['SIGTERM'])
    await clock.advance(3_000)
    expect(first.signals).toEqual(['SIGTERM', 'SIGKILL'])
    expect(ends()).toEqual(['memory'])
    await clock.advance(1_000)
    expect(starter.processes).toHaveLength(2)
    expect(starter.last().received).toEqual([eventOf('a').id])
  })

  test('that takes much memory at once is stopped before it takes more, and killed if it does', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    const first = starter.last()
    first.isStubborn = true
    first.memory = 100 * MiB
    await clock.advance(200)
    expect(first.signals).toEqual([])
    first.memory = 150 * MiB
    await clock.advance(50)
    expect(first.signals).toEqual(['SIGTERM'])
    first.memory = 170 * MiB
    await clock.advance(50)
    expect(first.signals).toEqual(['SIGTERM', 'SIGKILL'])
    expect(ends()).toEqual(['memory'])
  })

  test('that never answers below its memory limit is started ever later, and is a problem', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    for (const waitMs of [1_000, 2_000]) {
      const { length } = starter.processes
      starter.last().memory = 129 * MiB
      await clock.advance(200)
      expect(ends().at(-1)).toBe('memory')
      await clock.advance(waitMs - 1)
      expect(starter.processes).toHaveLength(length)
      await clock.advance(1)
      expect(starter.processes).toHaveLength(length + 1)
    }
    expect(runner.brokenFor()).toContain('it exceeded its memory limit before it answered an event')
  })

  test('without readable memory is logged once and continues', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    starter.last().memory = undefined
    await clock.advance(30_000)
    expect(lines.filter(({ message }) => message === 'memory of a program cannot be read')).toHaveLength(1)
    expect(starter.last().signals).toEqual([])
  })

  test('that answers no probe while it has an event is stopped', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    const first = starter.last()
    await clock.advance(60_000)
    expect(first.signals).toEqual([])
    first.responds = false
    first.isStubborn = true
    await clock.advance(18_000)
    expect(first.signals).toEqual([])
    await clock.advance(3_000)
    expect(lineOf('program does not respond')).toMatchObject({ why: 'answers no probe' })
    await clock.advance(3_000)
    expect(ends()).toEqual(['unresponsive'])
    await clock.advance(1_000)
    expect(starter.last().received).toEqual([eventOf('a').id])
  })

  test('that hands its steps back within 40 s of the end of the runner is not killed', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    const only = starter.last()
    only.isStubborn = true
    await send(eventOf('b'))
    await send(eventOf('waits'))
    const closed = runner.close()
    await clock.advance(39_000)
    expect(only.signals).toEqual(['SIGTERM'])
    expect(only.received).toHaveLength(2)
    await clock.advance(1_000)
    expect(only.signals).toEqual(['SIGTERM', 'SIGKILL'])
    await closed
    expect(await runner.send(eventOf('c'), never)).toMatchObject({ kind: 'retry' })
    expect(ends()).toEqual(['closed'])
  })
})

describe('memory of the container', () => {
  test('the process that has been idle longest ends for another program', async () => {
    await send(eventOf('a'))
    free = 10 * MiB
    await send(eventOf('b', 'Network'))
    expect(ends()).toEqual(['room'])
    await clock.advance(500)
    expect(starter.last().program).toBe('other')
  })

  test('a program waits for a busy one, with a reason', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    free = 10 * MiB
    await send(eventOf('b', 'Network'))
    await clock.advance(31_000)
    expect(starter.processes).toHaveLength(1)
    expect(lineOf('program waits for memory')).toMatchObject({ program: 'other' })
    expect(runner.brokenFor(['other'])).toBe(
      'other needs about 100 MiB and 10 MiB are left beside acme-compact. Increase the memory limit of the pod',
    )
    free = 200 * MiB
    await clock.advance(500)
    expect(starter.last().program).toBe('other')
    expect(runner.brokenFor()).toBeUndefined()
  })

  test('a program alone starts in any case', async () => {
    free = 1
    await send(eventOf('a'))
    expect(starter.processes).toHaveLength(1)
  })
})

describe('an event', () => {
  test('waits while as many of its function are in flight as its concurrency allows', async () => {
    starter.status = undefined
    for (const uid of ['a', 'b', 'c']) await send(eventOf(uid))
    for (let i = 0; i < 50; i++) await send(eventOf(`w${i}`, 'Worker'))
    expect(starter.last().open()).toBe(52)
    expect(runner.states()).toEqual([
      { program: 'acme-compact', awake: true, waiting: 1 },
      { program: 'other', awake: false, waiting: 0 },
    ])
    starter.last().answer()
    await clock.advance(0)
    expect(starter.last().received.at(-1)).toBe(eventOf('c').id)
  })

  test('that a function refuses is dropped with one log line', async () => {
    starter.status = undefined
    await send(eventOf('a'))
    starter.last().answer(400, 'malformed')
    await clock.advance(3_600_000)
    expect(starter.processes).toHaveLength(1)
    expect(outcomes()).toEqual(['refused'])
    expect(lineOf('function refuses an event')).toMatchObject({
      function: 'acme-dnsrecord',
      object: 'shoot--foo--bar/a',
      reason: 'answered 400: malformed',
    })
  })

  test('that a function cannot handle now is delivered again after 1, 2, 4, 8 and 16 s, then dropped', async () => {
    starter.status = 503
    await send(eventOf('a'))
    let total = 1
    for (const seconds of [1, 2, 4, 8, 16]) {
      await clock.advance(seconds * 1_000 - 1)
      expect(starter.last().received).toHaveLength(total)
      await clock.advance(1)
      expect(starter.last().received).toHaveLength(++total)
    }
    expect(outcomes()).toEqual(['retried', 'retried', 'retried', 'retried', 'retried', 'dropped'])
    expect(lineOf('event dropped')).toMatchObject({ attempt: 6, reason: 'answered 503' })
  })

  test('that waits is replaced by a newer one of the same object, in its place', async () => {
    starter.status = undefined
    for (const uid of ['a', 'b', 'c', 'd']) await send(eventOf(uid))
    await send(eventOf('c', 'DNSRecord', 2))
    await send(eventOf('c', 'DNSRecord', 2))
    expect(runner.states()[0]?.waiting).toBe(2)
    starter.status = 204
    starter.last().answer()
    starter.last().answer()
    await clock.advance(0)
    const [a, b, c, d] = [eventOf('a'), eventOf('b'), eventOf('c', 'DNSRecord', 2), eventOf('d')]
    expect(starter.last().received).toEqual([a.id, b.id, c.id, d.id])
  })

  test('that waits for a retry is replaced by a newer one at once', async () => {
    starter.status = 503
    await send(eventOf('a'))
    starter.status = 204
    await send(eventOf('a', 'DNSRecord', 2))
    await clock.advance(60_000)
    expect(starter.last().received).toEqual([eventOf('a').id, eventOf('a', 'DNSRecord', 2).id])
  })

  test('is not accepted when 1,000 wait for a program, and other programs accept theirs', async () => {
    starter.problem = 'missing'
    for (let i = 0; i < 1_000; i++)
      expect(await runner.send(eventOf(`n${i}`), never)).toEqual({ kind: 'accepted' })
    expect(await send(eventOf('more'))).toEqual({
      ...{ kind: 'retry', status: 429, afterMs: 5_000 },
      reason: '1000 events wait for acme-compact',
    })
    expect(await send(eventOf('a', 'Network'))).toEqual({ kind: 'accepted' })
    // A newer event takes the place of the one that waits.
    expect(await send(eventOf('n0', 'DNSRecord', 2))).toEqual({ kind: 'accepted' })
  })

  test('is not accepted when 8 MiB wait', async () => {
    starter.problem = 'missing'
    const large = (uid: string): ExtensionEvent => {
      const event = eventOf(uid)
      return {
        ...event,
        data: { text: 'x'.repeat(60_000) } as unknown as ExtensionEvent['data'],
      } as ExtensionEvent
    }
    let accepted = 0
    while ((await runner.send(large(`n${accepted}`), never)).kind === 'accepted') accepted++
    expect(accepted).toBe(139)
  })
})

test('a problem ends when the program starts and answers', async () => {
  starter.problem = 'no memory'
  await runner.send(eventOf('a'), never)
  await clock.advance(5_000)
  expect(runner.brokenFor(['acme-dns'])).toContain('no memory')
  starter.problem = undefined
  await clock.advance(10_000)
  expect(runner.brokenFor()).toBeUndefined()
})

test('a missing program that appears is no problem after an idle life without events', async () => {
  starter.missingFile = 'the bundle is missing'
  const other = createRunner({ ...{ programs, starter, clock, log, idleMs: 60_000 } })
  await clock.advance(0)
  starter.missingFile = undefined
  expect(other.brokenFor()).toBe('the bundle is missing')
  await clock.advance(62_000)
  expect(other.brokenFor()).toBeUndefined()
  expect(starter.processes.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM']])
  await clock.advance(600_000)
  expect(starter.processes).toHaveLength(2)
  await other.close()
})

test('a missing program is known before its first event', async () => {
  starter.missingFile = 'the bundle of acme-compact is missing'
  const other = createRunner({ ...{ programs, starter, clock, log, idleMs: 60_000 } })
  await clock.advance(0)
  expect(other.brokenFor(['acme-dns'])).toBe('the bundle of acme-compact is missing')
  await other.close()
})
