import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { StepExpiredError } from '../../../../shared/contract/errors.ts'
import { createRateLimiter, NotYetError } from './rate-limit.ts'
import { createSharedCalls } from './shared-calls.ts'

interface Step {
  readonly name: string
  isExpired?: boolean
}

class Refused extends Error {}

/** Shared calls that record their inputs. A call takes 10 ms and fails if `fail` returns an error for its inputs. */
const setUp = (fail: (names: readonly string[]) => Error | undefined = () => undefined) => {
  const clock = virtualClock(0)
  const limiter = createRateLimiter({}, clock)
  const sent: (readonly string[])[] = []
  const aborted: unknown[] = []
  const call = createSharedCalls<Step, string>({
    limiter,
    clock,
    send: async (steps, signal) => {
      for (const { isExpired } of steps) if (isExpired) throw new StepExpiredError('late')
      const names = steps.map(({ name }) => name)
      sent.push(names)
      const began = clock.now()
      await clock.sleep(10, signal).catch(reason => {
        aborted.push(reason)
        throw reason
      })
      const error = fail(names)
      if (error !== undefined) throw error
      return names.map(name =>
        name.startsWith('alone') && names.length > 1
          ? { kind: 'alone' }
          : { kind: 'done', output: `${name} ${began}` },
      )
    },
    mostOf: steps => Math.min(steps.length, 40),
    isThrottled: error => (error as Error).message === 'throttled',
    isOfOne: error => error instanceof Refused,
    check: ({ isExpired }) => {
      if (isExpired) throw new StepExpiredError('late')
    },
  })
  const run = (
    step: Step,
    {
      signal = new AbortController().signal,
      patienceMs = 60_000,
    }: { signal?: AbortSignal; patienceMs?: number } = {},
  ) => call({ account: 'A', group: 'zone', input: step, waited: false, calls: 1, patienceMs, signal })
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

test('a refused batch is halved until only the refused steps fail', async () => {
  const { sent, run, outcomes } = setUp(batch => (batch.includes('r7') ? new Refused('r7') : undefined))
  const results = await outcomes(names(32).map(name => run({ name })))
  expect(results.flatMap((result, index) => (result instanceof Error ? [index] : []))).toEqual([7])
  expect(sent.length).toBeLessThanOrEqual(11)
})

test('an error that no single step can cause fails all of them at once', async () => {
  const { sent, run, outcomes } = setUp(() => new Error('no such zone'))
  for (const result of await outcomes(names(3).map(name => run({ name }))))
    expect(result).toMatchObject({ message: 'no such zone' })
  expect(sent).toHaveLength(1)
})

test('a step whose claim has expired sends nothing and stops no other', async () => {
  const { sent, run, outcomes } = setUp()
  const steps: Step[] = [{ name: 'a' }, { name: 'b', isExpired: true }, { name: 'c' }]
  const [a, b, c] = await outcomes(steps.map(step => run(step)))
  expect([a, c]).toEqual(['a 0', 'c 0'])
  expect(b).toBeInstanceOf(StepExpiredError)
  expect(sent).toEqual([['a', 'c']])
})

test('a claim that expires during a refused batch is not in the next one', async () => {
  const steps: Step[] = names(8).map(name => ({ name }))
  const { sent, run, outcomes } = setUp(batch => {
    const [, , third] = steps
    if (third) third.isExpired = true
    return batch.includes('r7') ? new Refused('r7') : undefined
  })
  const results = await outcomes(steps.map(step => run(step)))
  expect(results[2]).toBeInstanceOf(StepExpiredError)
  expect(results[7]).toBeInstanceOf(Refused)
  expect(results.filter(result => typeof result === 'string')).toHaveLength(6)
  expect(sent.slice(1).flat()).not.toContain('r2')
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
  const results = await outcomes(names(2).map(name => run({ name }, { patienceMs: 500 })))
  for (const result of results) expect(result).toBeInstanceOf(NotYetError)
})

test('steps that are refused, expire, leave or are throttled never change the result of another', async () => {
  const numbers = fc.noBias(fc.infiniteStream(fc.integer({ min: 0, max: 999 })))
  const property = fc.asyncProperty(numbers, async stream => {
    const random = () => stream.next().value / 1_000
    const refused = new Set(names(60).filter(() => random() < 0.1))
    const { clock, sent, run, outcomes } = setUp(batch => {
      if (random() < 0.1) return new Error('throttled')
      return batch.some(name => refused.has(name)) ? new Refused() : undefined
    })
    const ended = new Map<string, number>()
    const began = new Map<string, number>()
    const results = names(60).map(async name => {
      const step: Step = { name }
      const abort = new AbortController()
      await clock.sleep(random() * 50)
      began.set(name, sent.length)
      if (random() < 0.2)
        void clock.sleep(random() * 100).then(() => {
          ended.set(name, sent.length)
          if (random() < 0.5) step.isExpired = true
          else abort.abort(new Error('over'))
        })
      return run(step, { signal: abort.signal })
    })
    for (const [index, result] of (await outcomes(results)).entries()) {
      const name = `r${index}`
      const calls = sent.flatMap((batch, at) => (batch.includes(name) ? [at] : []))
      for (const at of calls) expect(at).toBeLessThan(ended.get(name) ?? Number.POSITIVE_INFINITY)
      if (typeof result === 'string') {
        expect(result.startsWith(`${name} `)).toBe(true)
        expect(refused.has(name)).toBe(false)
        expect(calls[0]).toBeGreaterThanOrEqual(began.get(name) ?? 0)
      } else if (!ended.has(name)) {
        expect(result).toBeInstanceOf(Refused)
        expect(refused.has(name)).toBe(true)
      }
    }
  })
  await fc.assert(property, { numRuns: 60, endOnFailure: true })
})
