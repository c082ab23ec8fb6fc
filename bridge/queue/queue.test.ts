import { describe, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../shared/clock/virtual-clock.ts'
import { createQueue } from './queue.ts'
import type { Queue, QueueOptions, WorkResult } from './queue-types.ts'

const finished: WorkResult = { kind: 'finished', answered: true }

interface Bench {
  readonly clock: VirtualClock
  readonly queue: Queue
  /** Keys in the order in which work on them began. */
  readonly started: readonly string[]
  /** Ends the work on a key that is in flight. */
  readonly end: (key: string, result?: WorkResult) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A queue whose work ends when the test says so, or at once with `answer`. */
const bench = (
  options: Partial<QueueOptions> & { readonly answer?: (key: string) => WorkResult | undefined } = {},
): Bench => {
  const clock = virtualClock(0)
  const started: string[] = []
  const open = new Map<string, (result: WorkResult) => void>()
  const queue = createQueue({
    clock,
    subqueues: ['A', 'B'],
    concurrency: 4,
    lowPerSecond: 1e6,
    random: () => 1,
    work: key => {
      started.push(key)
      const result = options.answer?.(key)
      return result === undefined
        ? new Promise(resolve => open.set(key, resolve))
        : clock.sleep(1).then(() => result)
    },
    ...options,
  })
  const controller = new AbortController()
  const running = queue.run(controller.signal)
  return {
    clock,
    queue,
    started,
    end: async (key, result = finished) => {
      const resolve = open.get(key)
      if (resolve === undefined) throw new Error(`${key} is not in flight`)
      open.delete(key)
      resolve(result)
      await clock.advance(0)
    },
    stop: async () => {
      controller.abort()
      for (const resolve of open.values()) resolve(finished)
      await running
    },
  }
}

describe('one key', () => {
  it('is worked on at once, and leaves the queue when its work is finished', async () => {
    const { queue, started, end } = bench()
    queue.add('a1', 'A', 'fresh')
    expect(started).toEqual(['a1'])
    expect(queue.item('a1')?.state).toBe('in flight')
    await end('a1')
    expect(queue.item('a1')).toBeUndefined()
  })

  it('is worked on once more for any number of changes that come while it is in flight', async () => {
    const { queue, started, end } = bench()
    for (let change = 0; change < 50; change++) queue.add('a1', 'A', 'fresh')
    expect(started).toEqual(['a1'])
    await end('a1')
    expect(started).toEqual(['a1', 'a1'])
    await end('a1')
    expect(started).toEqual(['a1', 'a1'])
    expect([...queue.items()]).toEqual([])
  })

  it('waits for its time', async () => {
    const { clock, queue, started } = bench()
    queue.addAt('a1', 'A', 5_000)
    await clock.advance(4_999)
    expect(started).toEqual([])
    await clock.advance(1)
    expect(started).toEqual(['a1'])
  })

  it('is worked on again when its work says so', async () => {
    const { clock, queue, started, end } = bench()
    queue.add('a1', 'A', 'fresh')
    await end('a1', { kind: 'again', at: 90_000, answered: true })
    expect(queue.item('a1')).toMatchObject({ state: 'timed', at: 90_000 })
    await clock.advance(89_999)
    expect(started).toHaveLength(1)
    await clock.advance(1)
    expect(started).toHaveLength(2)
  })

  it('does not wait for its time when a change comes', async () => {
    const { queue, started } = bench()
    queue.addAt('a1', 'A', 5_000)
    queue.add('a1', 'A', 'fresh')
    expect(started).toEqual(['a1'])
  })

  it.each<[string, (queue: Queue) => void, string | undefined]>([
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
  ])('obeys %s that came in flight rather than the result', async (_, ask, state) => {
    const { queue, end } = bench()
    queue.add('a1', 'A', 'fresh')
    ask(queue)
    await end('a1', { kind: 'again', at: 90_000, answered: true })
    expect(queue.item('a1')?.state).toBe(state)
    if (state === 'timed') expect(queue.item('a1')?.at).toBe(777)
  })

  it('counts work that rejects as failed', async () => {
    const { clock, queue } = bench({ work: () => Promise.reject(new Error('no')) })
    queue.add('a1', 'A', 'fresh')
    await clock.advance(0)
    expect(queue.item('a1')).toMatchObject({ state: 'backing off', failures: 1 })
  })
})

describe('a sink that does not take it', () => {
  it('is asked again after a backoff that doubles up to 30 s', async () => {
    const { clock, queue, started } = bench({
      answer: key => (key === 'bad' ? { kind: 'failed' } : finished),
    })
    queue.add('bad', 'A', 'fresh')
    const waits: number[] = []
    for (let round = 0; round < 10; round++) {
      await clock.advance(1)
      const at = queue.item('bad')?.at ?? 0
      waits.push(at - clock.now())
      // The sink takes another event of the lane: it is well, and fails only this one.
      queue.add('good', 'A', 'fresh')
      await clock.advance(at - clock.now())
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
    expect(started.filter(key => key === 'bad')).toHaveLength(11)
  })

  it('is not asked before the time that it named', async () => {
    const { clock, queue, started, end } = bench()
    queue.add('a1', 'A', 'fresh')
    await end('a1', { kind: 'failed', afterMs: 7_000 })
    await clock.advance(6_999)
    expect(started).toHaveLength(1)
    await clock.advance(1)
    expect(started).toHaveLength(2)
  })

  it('is not asked sooner because the object changed, but at once when something else is asked for', async () => {
    const { clock, queue, started, end } = bench()
    queue.add('a1', 'A', 'fresh')
    await end('a1', { kind: 'failed', afterMs: 7_000 })
    queue.add('a1', 'A', 'fresh')
    await clock.advance(6_900)
    expect(started).toHaveLength(1)
    queue.add('a1', 'A', 'fresh', true)
    expect(started).toHaveLength(2)
  })

  it('that names a time while something else is asked for already is not obeyed for that', async () => {
    const { clock, queue, started, end } = bench()
    queue.add('a1', 'A', 'fresh')
    queue.add('a1', 'A', 'fresh', true)
    await end('a1', { kind: 'failed', afterMs: 60_000 })
    await clock.advance(250)
    expect(started).toHaveLength(2)
  })

  it('is probed with one at a time, and gets everything as soon as it is back', async () => {
    let down = true
    let most = 0
    const { clock, queue, started } = bench({
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
    expect([...queue.items()]).toEqual([])
  })

  it.each<[string, readonly string[]]>([
    ['one object', ['a1']],
    ['one object of each lane', ['a1', 'b1', 'c1', 'd1']],
    ['many objects', Array.from({ length: 200 }, (_, index) => `a${index}`)],
  ])('that was down for any time is asked within 250 ms of its return, with %s waiting', async (_, keys) => {
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
  })

  it('and named a time is not probed before it with that event', async () => {
    const { clock, queue, started, end } = bench({ subqueues: ['A'] })
    for (const key of ['a1', 'a2']) {
      queue.add(key, 'A', 'fresh')
      await end(key, { kind: 'failed', afterMs: 60_000 })
    }
    await clock.advance(59_999)
    expect(started).toEqual(['a1', 'a2'])
  })

  it('gets everything of every lane as soon as one of them has found out that it is back', async () => {
    let down = true
    const { clock, queue } = bench({ answer: () => (down ? { kind: 'failed' } : finished) })
    // One lane is probed now and then, the other's only key backs off for half a minute.
    for (let index = 0; index < 50; index++) queue.add(`a${index}`, 'A', 'fresh')
    queue.add('b1', 'B', 'fresh')
    await clock.advance(90_000)
    while ((queue.item('b1')?.at ?? 0) - clock.now() < 20_000) await clock.advance(1_000)
    down = false
    await clock.advance(5_100)
    expect([...queue.items()]).toEqual([])
  })

  it('does not hold up a lane whose events are taken', async () => {
    const { clock, queue, started } = bench({
      answer: key => (key.startsWith('a') ? { kind: 'failed' } : finished),
    })
    for (let index = 0; index < 50; index++) queue.add(`a${index}`, 'A', 'fresh')
    await clock.advance(3_000)
    queue.add('b1', 'B', 'fresh')
    expect(started.at(-1)).toBe('b1')
  })

  it.each([
    ['its lane', 'a', 1_000],
    ['its lane, now and then', 'a', 60_000],
    ['another lane', 'b', 1_000],
    ['another lane, now and then', 'b', 60_000],
  ])(
    'for one event alone, while it takes those of %s, is asked for that ever more slowly',
    async (_, subqueue, everyMs) => {
      const { clock, queue, started } = bench({
        answer: key => (key === 'a-poison' ? { kind: 'failed' } : finished),
      })
      queue.add('a-poison', 'A', 'fresh')
      for (let second = 0; second < 1_200; second++) {
        if ((second * 1_000) % everyMs === 0)
          queue.add(`${subqueue}${second}`, subqueue.toUpperCase(), 'fresh')
        await clock.advance(1_000)
        expect(queue.item(`${subqueue}${second}`), 'taken at once').toBeUndefined()
      }
      // 30 s apart, once more for each that shows that the sink is well.
      const tries = started.filter(key => key === 'a-poison').length
      expect(tries).toBeGreaterThanOrEqual(40)
      expect(tries).toBeLessThanOrEqual(90 + (everyMs === 60_000 ? 300 : 0))
    },
  )

  it('that refuses one event goes on taking the others of its lane', async () => {
    const { clock, queue } = bench({ answer: key => (key === 'a0' ? { kind: 'failed' } : finished) })
    for (let index = 0; index < 100; index++) queue.add(`a${index}`, 'A', 'fresh')
    await clock.advance(100)
    expect([...queue.items()].map(({ key }) => key)).toEqual(['a0'])
  })
})

describe('work that leaves a request open', () => {
  it('gives its place up, and counts until the request ends', async () => {
    const { queue, started, end } = bench({ subqueues: ['A'], concurrency: 1 })
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

  it('stops when a lane has eight times its places open, and goes on with each that ends; other lanes go on', async () => {
    const ends: (() => void)[] = []
    const { clock, queue, started } = bench({
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

describe('many keys', () => {
  it('are worked on in the order in which they came, no more than allowed at a time', async () => {
    const { queue, started, end } = bench({ subqueues: ['A'], concurrency: 2 })
    for (const key of ['a1', 'a2', 'a3', 'a4']) queue.add(key, 'A', 'fresh')
    expect(started).toEqual(['a1', 'a2'])
    await end('a2')
    expect(started).toEqual(['a1', 'a2', 'a3'])
  })

  it('go fresh before low, and a low one that changes becomes fresh', async () => {
    const { queue, started, end } = bench({ subqueues: ['A'], concurrency: 1 })
    queue.add('first', 'A', 'fresh')
    queue.add('low1', 'A', 'low')
    queue.add('low2', 'A', 'low')
    queue.add('fresh1', 'A', 'fresh')
    queue.add('low2', 'A', 'fresh')
    for (const key of ['first', 'fresh1', 'low2', 'low1']) await end(key)
    expect(started).toEqual(['first', 'fresh1', 'low2', 'low1'])
  })

  it('that are low start at a bounded rate, fresh ones in between', async () => {
    const { clock, queue, started } = bench({ lowPerSecond: 10, answer: () => finished })
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

  it('of a slow lane leave a place for every other lane', async () => {
    const subqueues = ['A', 'B', 'C', 'D']
    const { queue, started } = bench({ subqueues, concurrency: 8 })
    for (let index = 0; index < 20; index++) queue.add(`a${index}`, 'A', 'fresh')
    expect(started).toHaveLength(5)
    for (const subqueue of ['B', 'C', 'D']) queue.add(`${subqueue}1`, subqueue, 'fresh')
    expect(started.slice(5)).toEqual(['B1', 'C1', 'D1'])
  })

  it('of two busy lanes take turns', async () => {
    const { queue, started, end } = bench({ concurrency: 1 })
    queue.add('a0', 'A', 'fresh')
    for (const key of ['a1', 'a2', 'a3']) queue.add(key, 'A', 'fresh')
    for (const key of ['b1', 'b2', 'b3']) queue.add(key, 'B', 'fresh')
    for (const key of ['a0', 'b1', 'a1', 'b2', 'a2', 'b3', 'a3']) await end(key)
    expect(started).toEqual(['a0', 'b1', 'a1', 'b2', 'a2', 'b3', 'a3'])
  })
})

describe('the end', () => {
  it('lets what is in flight finish, starts nothing more and leaves no timer', async () => {
    const { clock, queue, started, stop } = bench({ subqueues: ['A'], concurrency: 1 })
    queue.add('a1', 'A', 'fresh')
    queue.add('a2', 'A', 'fresh')
    queue.addAt('a3', 'A', 1_000)
    await stop()
    await clock.advance(10_000)
    expect(started).toEqual(['a1'])
    expect(clock.pending()).toEqual([])
  })

  it('aborts what has not finished after a second', async () => {
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
