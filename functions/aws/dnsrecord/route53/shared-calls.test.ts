import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createRateLimiter, NotYetError } from './rate-limit.ts'
import { createSharedCalls } from './shared-calls.ts'

interface Step {
  readonly name: string
}

class Refused extends Error {}

/** Shared calls that record their inputs. A call takes 10 ms and fails if `fail` returns an error for its inputs. */
const setUp = (
  fail: (names: readonly string[]) => Error | undefined = () => undefined,
  perSecond?: number,
) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter(perSecond, clock)
  const sent: (readonly string[])[] = []
  const aborted: unknown[] = []
  const call = createSharedCalls<Step, string>({
    limiter,
    clock,
    send: async (steps, signal) => {
      const names = steps.map(({ name }) => name)
      sent.push(names)
      const began = clock.now()
      await clock.sleep(10, signal).catch(reason => {
        aborted.push(reason)
        throw reason
      })
      const error = fail(names)
      if (error !== undefined) throw error
      return names.map((name, index) =>
        name.startsWith('alone') && index > 0 ? undefined : `${name} ${began}`,
      )
    },
    mostOf: steps => Math.min(steps.length, 40),
    isThrottled: error => (error as Error).message === 'throttled',
    suspectsOf: (error, steps) =>
      error instanceof Refused
        ? steps.filter(({ name }) => error.message === '' || error.message.split(' ').includes(name))
        : [],
  })
  const run = (
    step: Step,
    {
      signal = new AbortController().signal,
      calls = 1,
      group = 'zone',
    }: { signal?: AbortSignal; calls?: number; group?: string } = {},
  ) => call({ account: 'A', group, key: group, input: step, calls, signal })
  const outcomes = async (results: readonly Promise<string>[]) => {
    const all = Promise.all(results.map(result => result.catch((error: Error) => error)))
    await clock.advance(100_000)
    return all
  }
  return { clock, limiter, sent, aborted, run, outcomes }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`)

test('steps share a call, and each gets its own result', async () => {
  const { sent, run, outcomes } = setUp()
  expect(await outcomes(['a', 'alone', 'c'].map(name => run({ name })))).toEqual(['a 0', 'alone 10', 'c 0'])
  expect(sent).toEqual([['a', 'alone', 'c'], ['alone']])
})

test('a step gets no result of a call that began before it', async () => {
  const { clock, run, outcomes } = setUp()
  const early = run({ name: 'r0' })
  await clock.advance(5)
  expect(await outcomes([early, run({ name: 'r0' })])).toEqual(['r0 0', 'r0 10'])
})

test('all steps that wait for their turn share one call', async () => {
  const { sent, run, outcomes } = setUp(undefined, 5)
  const others = names(5).map(name => run({ name }, { group: name }))
  const steps = ['a', 'b', 'c'].map(name => run({ name }))
  expect(await outcomes([...others, ...steps])).toHaveLength(8)
  expect(sent).toHaveLength(6)
  expect(sent.at(-1)).toEqual(['a', 'b', 'c'])
})

test('the later calls of a step do not wait', async () => {
  const { run, outcomes } = setUp(undefined, 5)
  const others = names(5).map(name => run({ name }, { group: name }))
  const [later] = (await outcomes([run({ name: 'later' }, { calls: 0 }), ...others])) as string[]
  expect(later).toBe('later 0')
})

test('the steps that an error names get calls of their own, and the others share the next one', async () => {
  const bad = ['r7', 'r9']
  const { sent, run, outcomes } = setUp(batch => {
    const named = batch.filter(name => bad.includes(name))
    return named.length > 0 ? new Refused(named.join(' ')) : undefined
  })
  const results = await outcomes(names(32).map(name => run({ name })))
  expect(results.flatMap((result, index) => (result instanceof Error ? [index] : []))).toEqual([7, 9])
  expect(sent.map(batch => batch.length)).toEqual([32, 30, 1, 1])
})

test('if an error names no step, each gets a call of its own', async () => {
  const { sent, run, outcomes } = setUp(batch => (batch.includes('r7') ? new Refused() : undefined))
  const results = await outcomes(names(10).map(name => run({ name })))
  expect(results.flatMap((result, index) => (result instanceof Error ? [index] : []))).toEqual([7])
  expect(sent).toHaveLength(11)
})

test('the others of a refused call do not wait for another turn', async () => {
  const { clock, sent, run, outcomes } = setUp(
    batch => (batch.includes('r1') ? new Refused('r1') : undefined),
    1,
  )
  const steps = names(3).map(name => run({ name }))
  await clock.advance(100)
  expect(sent.slice(0, 2)).toEqual([names(3), ['r0', 'r2']])
  expect(await outcomes(steps)).toEqual(['r0 10', expect.any(Refused), 'r2 10'])
})

test('an error that no single step can cause fails all of them at once', async () => {
  const { sent, run, outcomes } = setUp(() => new Error('no such zone'))
  for (const result of await outcomes(names(3).map(name => run({ name }))))
    expect(result).toMatchObject({ message: 'no such zone' })
  expect(sent).toHaveLength(1)
})

test('a step that leaves during a call does not stop it for the others', async () => {
  const { clock, sent, aborted, run, outcomes } = setUp()
  const abort = new AbortController()
  const [a, b] = [run({ name: 'a' }, { signal: abort.signal }), run({ name: 'b' })]
  await clock.advance(5)
  abort.abort(new Error('over'))
  expect(await outcomes([a, b])).toEqual([expect.objectContaining({ message: 'over' }), 'b 0'])
  expect(sent).toEqual([['a', 'b']])
  expect(aborted).toEqual([])
})

test('a call that fails after a step left is repeated for the others', async () => {
  const abort = new AbortController()
  const { clock, sent, run, outcomes } = setUp(batch =>
    batch.includes('a') ? new Error('the credentials of a were not read') : undefined,
  )
  const [a, b] = [run({ name: 'a' }, { signal: abort.signal }), run({ name: 'b' })]
  await clock.advance(5)
  abort.abort(new Error('over'))
  expect(await outcomes([a, b])).toEqual([expect.objectContaining({ message: 'over' }), 'b 10'])
  expect(sent).toEqual([['a', 'b'], ['b']])
})

test('a call without steps is aborted, and a later step makes its own', async () => {
  const { clock, sent, aborted, run, outcomes } = setUp()
  const abort = new AbortController()
  const left = run({ name: 'a' }, { signal: abort.signal })
  await clock.advance(5)
  abort.abort(new Error('over'))
  expect(await outcomes([left, run({ name: 'b' })])).toEqual([
    expect.objectContaining({ message: 'over' }),
    'b 5',
  ])
  expect(aborted).toHaveLength(1)
  expect(sent).toEqual([['a'], ['b']])
})

test('a step that has ended already sends nothing', async () => {
  const { sent, run, outcomes } = setUp()
  expect(await outcomes([run({ name: 'a' }, { signal: AbortSignal.abort(new Error('over')) })])).toEqual([
    expect.objectContaining({ message: 'over' }),
  ])
  expect(sent).toEqual([])
})

test('a throttled call is repeated, and a turn that is too far away ends all steps', async () => {
  let throttled = 1
  const { run, outcomes } = setUp(() => (throttled-- > 0 ? new Error('throttled') : undefined))
  for (const result of await outcomes(names(2).map(name => run({ name })))) expect(result).toMatch(/^r/)
  throttled = 100
  for (const result of await outcomes(names(2).map(name => run({ name }))))
    expect(result).toBeInstanceOf(NotYetError)
})

test('steps that are refused, leave or are throttled never change the result of another', async () => {
  const numbers = fc.noBias(fc.infiniteStream(fc.integer({ min: 0, max: 999 })))
  const property = fc.asyncProperty(numbers, async stream => {
    const random = () => stream.next().value / 1_000
    const refused = new Set(names(60).filter(() => random() < 0.1))
    const { clock, sent, run, outcomes } = setUp(batch => {
      if (random() < 0.1) return new Error('throttled')
      const named = batch.filter(name => refused.has(name) && random() < 0.8)
      return batch.some(name => refused.has(name)) ? new Refused(named.join(' ')) : undefined
    })
    const ended = new Map<string, number>()
    const began = new Map<string, number>()
    const results = names(60).map(async name => {
      const abort = new AbortController()
      await clock.sleep(random() * 50)
      began.set(name, sent.length)
      if (random() < 0.2)
        void clock.sleep(random() * 100).then(() => {
          ended.set(name, sent.length)
          abort.abort(new Error('over'))
        })
      return run({ name }, { signal: abort.signal })
    })
    for (const [index, result] of (await outcomes(results)).entries()) {
      const name = `r${index}`
      const calls = sent.flatMap((batch, at) => (batch.includes(name) ? [at] : []))
      for (const at of calls) expect(at).toBeLessThan(ended.get(name) ?? Number.POSITIVE_INFINITY)
      if (typeof result === 'string') {
        expect(result.startsWith(`${name} `)).toBe(true)
        expect(refused.has(name)).toBe(false)
        expect(calls[0]).toBeGreaterThanOrEqual(began.get(name) ?? 0)
      } else if (!ended.has(name) && !(result instanceof NotYetError)) {
        expect(result).toBeInstanceOf(Refused)
        expect(refused.has(name)).toBe(true)
      }
    }
  })
  await fc.assert(property, { numRuns: 60, endOnFailure: true })
})
