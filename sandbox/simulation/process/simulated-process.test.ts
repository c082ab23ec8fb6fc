import { expect, test } from 'vitest'
import { createSimulationClock } from '../simulation-clock.ts'
import { createTrace } from '../trace.ts'
import type { Fate } from './exchange.ts'
import { createProcess } from './simulated-process.ts'

const exchange = { way: 'cloud', isWrite: true, about: 'create' } as const

const world = (...fates: readonly Fate[]) => {
  const clock = createSimulationClock(0)
  const trace = createTrace({ clock })
  let next = 0
  const process = createProcess({
    name: 'fn',
    clock,
    trace,
    fates: () => fates[next++] ?? { kind: 'pass' },
  })
  const made: number[] = []
  const ends: string[] = []
  const send = (signal?: AbortSignal) => {
    void process
      .exchange(exchange, {
        signal,
        act: async () => {
          made.push(clock.now())
          return 'made'
        },
        refuse: status => `refused ${status}`,
        broken: sent => new Error(sent ? 'broken' : 'not sent'),
      })
      .then(
        answer => ends.push(answer),
        (error: Error) => ends.push(error.message),
      )
  }
  return { clock, trace, process, made, ends, send }
}

test('an exchange takes effect after its way, and its answer arrives later', async () => {
  const { clock, made, ends, send } = world({ kind: 'pass', beforeMs: 10, afterMs: 5 })
  send()
  await clock.advance(14)
  expect([made, ends]).toEqual([[10], []])
  await clock.advance(1)
  expect(ends).toEqual(['made'])
})

test.each([
  [{ kind: 'crash', when: 'before' }, 0, []],
  [{ kind: 'crash', when: 'after' }, 1, []],
  [{ kind: 'lost' }, 1, ['broken']],
  [{ kind: 'unreachable' }, 0, ['not sent']],
  [{ kind: 'silence', acted: true }, 1, []],
  [{ kind: 'silence', acted: false }, 0, []],
  [{ kind: 'refused', status: 503 }, 0, ['refused 503']],
] as const)('%j', async (fate, effects, answers) => {
  const { clock, process, made, ends, send } = world(fate)
  send()
  await clock.advance(60_000)
  expect([made.length, ends]).toEqual([effects, answers])
  expect(process.isAlive()).toBe(fate.kind !== 'crash')
})

test('silence ends with the signal of the caller', async () => {
  const { clock, ends, send } = world({ kind: 'silence', acted: false })
  const stop = new AbortController()
  send(stop.signal)
  await clock.advance(10)
  stop.abort(new Error('too late'))
  await clock.advance(0)
  expect(ends).toEqual(['too late'])
})

test('a request on its way arrives after the death of its process, and no code continues', async () => {
  const { clock, process, made, ends, send } = world({ kind: 'pass', beforeMs: 10 })
  let fired = false
  process.clock.after(5, () => {
    fired = true
  })
  send()
  await clock.advance(1)
  process.kill()
  await clock.advance(100)
  expect([made, ends, fired]).toEqual([[10], [], false])
})

test('a request that arrives twice takes effect twice, and has one answer', async () => {
  const { clock, made, ends, send } = world({ kind: 'twice', againMs: 10 })
  send()
  await clock.advance(0)
  expect([made.length, ends.length]).toEqual([1, 1])
  await clock.advance(10)
  expect([made.length, ends.length]).toEqual([2, 1])
})

test('a frozen process continues later, and its clock shows the time that has passed', async () => {
  const { clock, process, ends, send } = world()
  const fired: number[] = []
  process.clock.after(10, () => fired.push(process.clock.now()))
  process.freeze(1_000)
  send()
  await clock.advance(500)
  expect([fired, ends]).toEqual([[], []])
  await clock.advance(500)
  expect([fired, ends]).toEqual([[1_000], ['made']])
})

test('a skewed clock is wrong, and waits as long as others', async () => {
  const { clock, process } = world()
  process.skew(-60_000)
  const fired: number[] = []
  process.clock.after(10, () => fired.push(clock.now(), process.clock.now()))
  await clock.advance(10)
  expect(fired).toEqual([10, -59_990])
})
