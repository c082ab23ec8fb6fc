import { describe, expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { createQueue } from './queue.ts'
import type { Queue } from './queue-types.ts'
import { finished, queueBench } from './testing/queue-bench.ts'

describe('one key', () => {
  test('it is processed at once, and leaves the queue when its work is finished', async () => {
    const { queue, started, end } = queueBench()
    queue.add('a1', 'A', 'fresh')
    expect(started).toEqual(['a1'])
    expect(queue.item('a1')?.state).toBe('in flight')
    await end('a1')
    expect(queue.item('a1')).toBeUndefined()
  })

  test('it is processed once more after any number of changes in flight', async () => {
    const { queue, started, end } = queueBench()
    for (let change = 0; change < 50; change++) queue.add('a1', 'A', 'fresh')
    expect(started).toEqual(['a1'])
    await end('a1')
    expect(started).toEqual(['a1', 'a1'])
    await end('a1')
    expect(started).toEqual(['a1', 'a1'])
    expect(queue.size).toBe(0)
  })

  test('it waits for its time', async () => {
    const { clock, queue, started } = queueBench()
    queue.addAt('a1', 'A', 5_000)
    await clock.advance(4_999)
    expect(started).toEqual([])
    await clock.advance(1)
    expect(started).toEqual(['a1'])
  })

  test('it is processed again if its work says so', async () => {
    const { clock, queue, started, end } = queueBench()
    queue.add('a1', 'A', 'fresh')
    await end('a1', { kind: 'again', at: 90_000, answered: true })
    expect(queue.item('a1')).toMatchObject({ state: 'timed', at: 90_000 })
    await clock.advance(89_999)
    expect(started).toHaveLength(1)
    await clock.advance(1)
    expect(started).toHaveLength(2)
  })

  test('a change ends its wait', async () => {
    const { queue, started } = queueBench()
    queue.addAt('a1', 'A', 5_000)
    queue.add('a1', 'A', 'fresh')
    expect(started).toEqual(['a1'])
  })

  test.each<[string, (queue: Queue) => void, string | undefined]>([
    ['a change', queue => queue.add('a1', 'A', 'fresh'), 'in flight'],
    ['a time', queue => queue.addAt('a1', 'A', 777), 'timed'],
    ['being forgotten', queue => queue.forget('a1'), undefined],
    [
      'a change after being forgotten',
      queue => {
        queue.forget('a1')
        queue.add('a1', 'A', 'fresh')
      },
      'in flight',
    ],
    [
      'a time after a change',
      queue => {
        queue.add('a1', 'A', 'fresh')
        queue.addAt('a1', 'A', 777)
      },
      'timed',
    ],
  ])('%s in flight overrides the result', async (_, ask, state) => {
    const { queue, end } = queueBench()
    queue.add('a1', 'A', 'fresh')
    ask(queue)
    await end('a1', { kind: 'again', at: 90_000, answered: true })
    expect(queue.item('a1')?.state).toBe(state)
    if (state === 'timed') expect(queue.item('a1')?.at).toBe(777)
  })

  test('work that rejects counts as failed', async () => {
    const { clock, queue } = queueBench({ work: () => Promise.reject(new Error('no')) })
    queue.add('a1', 'A', 'fresh')
    await clock.advance(0)
    expect(queue.item('a1')).toMatchObject({ state: 'backing off', failures: 1 })
  })
})

describe('work that leaves a request open', () => {
  test('it gives up its slot, and counts until the request ends', async () => {
    const { queue, started, end } = queueBench({ subqueues: ['A'], concurrency: 1 })
    const open = Promise.withResolvers<void>()
    queue.add('a1', 'A', 'fresh')
    queue.add('a2', 'A', 'fresh')
    await end('a1', { kind: 'finished', answered: true, open: open.promise })
    expect(started).toEqual(['a1', 'a2'])
    expect(queue.counts('A')).toMatchObject({ inFlight: 1, open: 1 })
    open.resolve()
    await end('a2')
    expect(queue.counts('A')).toMatchObject({ inFlight: 0, open: 0 })
  })

  test('a subqueue stops when it has eight times its slots open, and continues with each that ends; other subqueues are not affected', async () => {
    const ends: (() => void)[] = []
    const { clock, queue, started } = queueBench({
      concurrency: 4,
      answer: key => ({
        kind: 'finished',
        answered: true,
        open: key.startsWith('a') ? new Promise(resolve => ends.push(resolve)) : Promise.resolve(),
      }),
    })
    for (let index = 0; index < 50; index++) queue.add(`a${index}`, 'A', 'fresh')
    await clock.advance(1_000)
    expect(queue.counts('A')).toMatchObject({ open: 32 })
    expect(started.length).toBe(32)
    queue.add('b1', 'B', 'fresh')
    expect(started.at(-1)).toBe('b1')
    ends[0]?.()
    await clock.advance(0)
    expect(started.length).toBe(34)
  })
})

test('all subqueues together have at most 32 times their slots open', async () => {
  const subqueues = ['A', 'B', 'C', 'D', 'E']
  const { clock, queue, started } = queueBench({
    subqueues,
    concurrency: 2,
    answer: () => ({ kind: 'finished', answered: true, open: new Promise(() => {}) }),
  })
  for (const name of subqueues)
    for (let index = 0; index < 20; index++) queue.add(name + index, name, 'fresh')
  await clock.advance(1_000)
  expect(started).toHaveLength(64)
})

describe('many keys', () => {
  test('they are processed in the order of arrival, within the concurrency', async () => {
    const { queue, started, end } = queueBench({ subqueues: ['A'], concurrency: 2 })
    for (const key of ['a1', 'a2', 'a3', 'a4']) queue.add(key, 'A', 'fresh')
    expect(started).toEqual(['a1', 'a2'])
    await end('a2')
    expect(started).toEqual(['a1', 'a2', 'a3'])
  })

  test('fresh keys precede low ones, and a low key that changes becomes fresh', async () => {
    const { queue, started, end } = queueBench({ subqueues: ['A'], concurrency: 1 })
    queue.add('first', 'A', 'fresh')
    queue.add('low1', 'A', 'low')
    queue.add('low2', 'A', 'low')
    queue.add('fresh1', 'A', 'fresh')
    queue.add('low2', 'A', 'fresh')
    for (const key of ['first', 'fresh1', 'low2', 'low1']) await end(key)
    expect(started).toEqual(['first', 'fresh1', 'low2', 'low1'])
  })

  test('a key that waits for a slot can be withdrawn', async () => {
    const { clock, queue, started, end } = queueBench({ subqueues: ['A'], concurrency: 1 })
    for (const key of ['first', 'timed', 'forgotten']) queue.add(key, 'A', 'fresh')
    queue.addAt('timed', 'A', 5_000)
    queue.forget('forgotten')
    expect(queue.counts('A')).toMatchObject({ waiting: 0 })
    await end('first')
    await clock.advance(4_999)
    expect(started).toEqual(['first'])
    await clock.advance(1)
    expect(started).toEqual(['first', 'timed'])
  })

  test('low keys start at a bounded rate, with fresh ones in between', async () => {
    const { clock, queue, started } = queueBench({ lowPerSecond: 10, answer: () => finished })
    for (let index = 0; index < 100; index++) queue.add(`low${index}`, 'A', 'low')
    await clock.advance(1_000)
    const low = started.filter(key => key.startsWith('low')).length
    expect(low).toBeGreaterThanOrEqual(10)
    expect(low).toBeLessThanOrEqual(12)
    queue.add('fresh', 'A', 'fresh')
    expect(started.at(-1)).toBe('fresh')
    await clock.advance(10_000)
    expect(started).toHaveLength(101)
  })

  test.each(['low', 'of a sink that is down'] as const)(
    'keys that are %s start in time, even if the process is paused before any reading of the clock',
    async what => {
      const late: number[] = []
      for (let reading = 0; reading < 20; reading++) {
        const virtual = virtualClock(0)
        let paused = 0
        let readings = Number.NEGATIVE_INFINITY
        const now = () => {
          if (readings++ === reading) paused = 6_000
          return virtual.now() + paused
        }
        // Successful work never ends here, so only a timer wakes the queue.
        const started: string[] = []
        const { queue } = queueBench({
          clock: { ...virtual, now },
          lowPerSecond: 0.2,
          work: async key => {
            started.push(key)
            return key.startsWith('down') ? { kind: 'failed', afterMs: 3_600_000 } : new Promise(() => {})
          },
        })
        if (what === 'low') queue.add('a0', 'A', 'low')
        else for (const key of ['down1', 'down2']) queue.add(key, 'A', 'fresh')
        await virtual.advance(10)
        readings = 0
        queue.add('a1', 'A', what === 'low' ? 'low' : 'fresh')
        await virtual.advance(6_000)
        if (!started.includes('a1')) late.push(reading)
      }
      expect(late).toEqual([])
    },
  )

  test('a slow subqueue leaves a slot for every other subqueue', async () => {
    const subqueues = ['A', 'B', 'C', 'D']
    const { queue, started } = queueBench({ subqueues, concurrency: 8 })
    for (let index = 0; index < 20; index++) queue.add(`a${index}`, 'A', 'fresh')
    expect(started).toHaveLength(5)
    for (const subqueue of ['B', 'C', 'D']) queue.add(`${subqueue}1`, subqueue, 'fresh')
    expect(started.slice(5)).toEqual(['B1', 'C1', 'D1'])
  })

  test('a busy subqueue gets half of the slots, however many others are idle', () => {
    const { queue, started } = queueBench({ subqueues: ['A', 'B', 'C', 'D', 'E', 'F'], concurrency: 4 })
    for (let index = 0; index < 5; index++) queue.add(`a${index}`, 'A', 'fresh')
    expect(started).toEqual(['a0', 'a1'])
    for (let index = 0; index < 5; index++) queue.add(`b${index}`, 'B', 'fresh')
    expect(started).toEqual(['a0', 'a1', 'b0'])
  })

  test('two busy subqueues alternate', async () => {
    const { queue, started, end } = queueBench({ concurrency: 1 })
    queue.add('a0', 'A', 'fresh')
    for (const key of ['a1', 'a2', 'a3']) queue.add(key, 'A', 'fresh')
    for (const key of ['b1', 'b2', 'b3']) queue.add(key, 'B', 'fresh')
    for (const key of ['a0', 'b1', 'a1', 'b2', 'a2', 'b3', 'a3']) await end(key)
    expect(started).toEqual(['a0', 'b1', 'a1', 'b2', 'a2', 'b3', 'a3'])
  })
})

describe('the shutdown', () => {
  test('work in flight finishes, no more work starts and no timer remains', async () => {
    const { clock, queue, started, stop } = queueBench({ subqueues: ['A'], concurrency: 1 })
    queue.add('a1', 'A', 'fresh')
    queue.add('a2', 'A', 'fresh')
    queue.addAt('a3', 'A', 1_000)
    await stop()
    await clock.advance(10_000)
    expect(started).toEqual(['a1'])
    expect(clock.pending()).toEqual([])
  })

  test('work that has not finished after a second is aborted', async () => {
    const clock = virtualClock(0)
    let reason: unknown
    const queue = createQueue({
      clock,
      subqueues: ['A'],
      concurrency: 1,
      lowPerSecond: 1,
      work: (_, signal) =>
        new Promise(resolve =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            resolve(finished)
          }),
        ),
    })
    const controller = new AbortController()
    const running = queue.run(controller.signal)
    queue.add('a1', 'A', 'fresh')
    controller.abort('over')
    await clock.advance(999)
    expect(reason).toBeUndefined()
    await clock.advance(1)
    await running
    expect(reason).toBe('over')
  })
})
