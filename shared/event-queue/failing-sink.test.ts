import { describe, expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { createQueue } from './queue.ts'
import { finished, queueBench } from './testing/queue-bench.ts'

describe('a sink that does not accept an event', () => {
  test('it is retried after a backoff that doubles up to 30 s', async () => {
    const { clock, queue, started } = queueBench({
      answer: key => (key === 'bad' ? { kind: 'failed' } : finished),
    })
    queue.add('bad', 'A', 'fresh')
    const waits: number[] = []
    for (let round = 0; round < 10; round++) {
      await clock.advance(1)
      const at = queue.item('bad')?.at ?? 0
      waits.push(at - clock.now())
      // The sink accepts another event of the subqueue: it is healthy, and fails only this one.
      queue.add('good', 'A', 'fresh')
      await clock.advance(at - clock.now())
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
    expect(started.filter(key => key === 'bad')).toHaveLength(11)
  })

  test('it is not retried before its Retry-After', async () => {
    const { clock, queue, started, end } = queueBench()
    queue.add('a1', 'A', 'fresh')
    await end('a1', { kind: 'failed', afterMs: 7_000 })
    await clock.advance(6_999)
    expect(started).toHaveLength(1)
    await clock.advance(1)
    expect(started).toHaveLength(2)
  })

  test('it is not retried earlier for a change of the object, but at once for another operation', async () => {
    const { clock, queue, started, end } = queueBench()
    queue.add('a1', 'A', 'fresh')
    await end('a1', { kind: 'failed', afterMs: 7_000 })
    queue.add('a1', 'A', 'fresh')
    await clock.advance(6_900)
    expect(started).toHaveLength(1)
    queue.add('a1', 'A', 'fresh', true)
    expect(started).toHaveLength(2)
  })

  test('its Retry-After does not apply if another operation is already requested', async () => {
    const { clock, queue, started, end } = queueBench()
    queue.add('a1', 'A', 'fresh')
    queue.add('a1', 'A', 'fresh', true)
    await end('a1', { kind: 'failed', afterMs: 60_000 })
    await clock.advance(250)
    expect(started).toHaveLength(2)
  })

  test('it is probed with one event at a time, and receives everything as soon as it is back', async () => {
    let down = true
    let most = 0
    const { clock, queue, started } = queueBench({
      concurrency: 32,
      answer: () => {
        most = Math.max(most, queue.counts('A').inFlight)
        return down ? { kind: 'failed' } : finished
      },
    })
    const keys = Array.from({ length: 500 }, (_, index) => `a${index}`)
    for (const key of keys) queue.add(key, 'A', 'fresh')
    await clock.advance(60_000)
    most = 0
    const before = started.length
    await clock.advance(60_000)
    expect(most).toBe(1)
    expect(started.length - before).toBeLessThanOrEqual(60 * 5)
    down = false
    await clock.advance(300)
    expect(queue.size).toBe(0)
  })

  test.each<[string, readonly string[]]>([
    ['one object', ['a1']],
    ['one object of each subqueue', ['a1', 'b1', 'c1', 'd1']],
    ['many objects', Array.from({ length: 200 }, (_, index) => `a${index}`)],
  ])(
    'after an outage of any length, it is asked within 250 ms of its return, with %s waiting',
    async (_, keys) => {
      for (const downMs of [100, 900, 3_000, 20_000, 600_000]) {
        let down = true
        const clock = virtualClock(0)
        const taken: number[] = []
        const queue = createQueue({
          clock,
          subqueues: ['A', 'B', 'C', 'D'],
          concurrency: 32,
          lowPerSecond: 1e6,
          work: async () => {
            await clock.sleep(1)
            if (!down) taken.push(clock.now())
            return down ? { kind: 'failed' } : finished
          },
        })
        const controller = new AbortController()
        const running = queue.run(controller.signal)
        for (const key of keys) queue.add(key, key.slice(0, 1).toUpperCase(), 'low')
        await clock.advance(downMs)
        down = false
        await clock.advance(1_000)
        expect((taken[0] ?? Number.POSITIVE_INFINITY) - downMs, `down ${downMs} ms`).toBeLessThanOrEqual(251)
        expect(taken.length).toBe(keys.length)
        expect((taken.at(-1) ?? 0) - (taken[0] ?? 0)).toBeLessThanOrEqual(250)
        controller.abort()
        await running
      }
    },
  )

  test('it is not probed before its Retry-After with that event', async () => {
    const { clock, queue, started, end } = queueBench({ subqueues: ['A'] })
    for (const key of ['a1', 'a2']) {
      queue.add(key, 'A', 'fresh')
      await end(key, { kind: 'failed', afterMs: 60_000 })
    }
    await clock.advance(59_999)
    expect(started).toEqual(['a1', 'a2'])
  })

  test('every subqueue is sent as soon as one of them finds that the sink is back', async () => {
    let down = true
    const { clock, queue } = queueBench({ answer: () => (down ? { kind: 'failed' } : finished) })
    // One subqueue is probed occasionally; the only key of the other backs off for half a minute.
    for (let index = 0; index < 50; index++) queue.add(`a${index}`, 'A', 'fresh')
    queue.add('b1', 'B', 'fresh')
    await clock.advance(90_000)
    while ((queue.item('b1')?.at ?? 0) - clock.now() < 20_000) await clock.advance(1_000)
    down = false
    await clock.advance(5_100)
    expect(queue.size).toBe(0)
  })

  test('a late answer shows that it is back, and everything is sent at once', async () => {
    const { queue, started, end } = queueBench({ subqueues: ['A'] })
    for (const key of ['a1', 'a2']) {
      queue.add(key, 'A', 'fresh')
      await end(key, { kind: 'failed', afterMs: 60_000 })
    }
    queue.add('a3', 'A', 'fresh')
    expect(started).toEqual(['a1', 'a2'])
    queue.works('A')
    expect(started.slice(2).toSorted()).toEqual(['a1', 'a2', 'a3'])
  })

  test('it does not delay a subqueue with events that it accepts', async () => {
    const { clock, queue, started } = queueBench({
      answer: key => (key.startsWith('a') ? { kind: 'failed' } : finished),
    })
    for (let index = 0; index < 50; index++) queue.add(`a${index}`, 'A', 'fresh')
    await clock.advance(3_000)
    queue.add('b1', 'B', 'fresh')
    expect(started.at(-1)).toBe('b1')
  })

  test.each([
    ['its subqueue', 'a', 1_000],
    ['its subqueue, now and then', 'a', 60_000],
    ['another subqueue', 'b', 1_000],
    ['another subqueue, now and then', 'b', 60_000],
  ])(
    'if it fails a single event and accepts the events of %s, that event is retried more and more slowly',
    async (_, subqueue, everyMs) => {
      const { clock, queue, started } = queueBench({
        answer: key => (key === 'a-poison' ? { kind: 'failed' } : finished),
      })
      queue.add('a-poison', 'A', 'fresh')
      for (let second = 0; second < 1_200; second++) {
        if ((second * 1_000) % everyMs === 0)
          queue.add(`${subqueue}${second}`, subqueue.toUpperCase(), 'fresh')
        await clock.advance(1_000)
        expect(queue.item(`${subqueue}${second}`), 'taken at once').toBeUndefined()
      }
      // 30 s apart, and once more for each event that shows that the sink is healthy.
      const tries = started.filter(key => key === 'a-poison').length
      expect(tries).toBeGreaterThanOrEqual(40)
      expect(tries).toBeLessThanOrEqual(90 + (everyMs === 60_000 ? 300 : 0))
    },
  )

  test('a sink that refuses one event still accepts the others of its subqueue', async () => {
    const { clock, queue } = queueBench({ answer: key => (key === 'a0' ? { kind: 'failed' } : finished) })
    for (let index = 0; index < 100; index++) queue.add(`a${index}`, 'A', 'fresh')
    await clock.advance(100)
    expect(queue.size).toBe(1)
    expect(queue.item('a0')).toBeDefined()
  })
})
