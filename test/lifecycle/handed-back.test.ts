import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { dueWork, type StepContext, type StepResult } from '../../shared/lifecycle/lifecycle.ts'
import { harness } from './harness.ts'

/** Runs the first step of a Network. During its cloud call, its process is ended, and the test continues the step. */
const stepOnItsWay = async (atWork: (context: StepContext) => Promise<StepResult>) => {
  const ending = new AbortController()
  const began = Promise.withResolvers<StepContext>()
  let runs = 0
  const seed = await harness('Network', {
    actuator: {
      reconcile: context => {
        began.resolve(context)
        return runs++ === 0 ? atWork(context) : Promise.resolve({ kind: 'done' })
      },
    },
  })
  await seed.create({ annotation: 'reconcile' })
  const outcome = seed.step({}, seed.observed, ending.signal)
  const context = await began.promise
  return { seed, outcome, context, end: () => ending.abort(new Error('the process ends')) }
}

const forever = () => new Promise<never>(() => {})

describe('a step of a process that ends', () => {
  test('is handed back: due at once for any process, and without a failed attempt', async () => {
    const { seed, outcome, end } = await stepOnItsWay(forever)
    end()
    expect(await outcome).toEqual({ kind: 'recorded', how: 'handed-back' })
    expect(await seed.stepAnnotation()).toMatchObject({ phase: 'waiting', attempt: 0, durationMs: 0 })
    expect(dueWork('Network', await seed.live(), seed.clock.now())).toMatchObject({ kind: 'emit' })
    expect((await seed.live()).status).toMatchObject({ lastOperation: { state: 'Processing' } })
    expect((await seed.live()).status?.lastError).toBeUndefined()
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('waits as after a first error if it has begun to change the cloud, because an aborted call may still take effect', async () => {
    const { seed, outcome, end } = await stepOnItsWay(context => {
      context.throwIfExpired()
      return forever()
    })
    end()
    expect(await outcome).toEqual({ kind: 'recorded', how: 'handed-back' })
    expect(await seed.stepAnnotation()).toMatchObject({ phase: 'waiting', attempt: 0, durationMs: 1_000 })
    await seed.clock.advance(1_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('changes nothing in the cloud after that', async () => {
    const { outcome, context, end } = await stepOnItsWay(forever)
    end()
    await outcome
    expect(context.signal.aborted).toBe(true)
    expect(context.throwIfExpired).toThrow('the process ends')
  })

  test('is handed back however its actuator reacts to the end', async () => {
    const { outcome, end } = await stepOnItsWay(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted by the SDK')))
        }),
    )
    end()
    expect(await outcome).toEqual({ kind: 'recorded', how: 'handed-back' })
  })

  test('retains its wait and the start of that wait', async () => {
    const ending = new AbortController()
    const began = Promise.withResolvers<void>()
    let runs = 0
    const seed = await harness('Network', {
      actuator: {
        reconcile: () => {
          if (runs++ === 0) return Promise.resolve({ ...wait, waitsFor: 'a machine' })
          began.resolve()
          return forever()
        },
      },
    })
    const wait = { kind: 'continue', afterMs: 1_000, progress: 50, description: 'Waiting' } as const
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    const { waitsSince } = (await seed.stepAnnotation()) ?? {}
    await seed.clock.advance(2_000)
    const outcome = seed.step({}, seed.observed, ending.signal)
    await began.promise
    ending.abort(new Error('the process ends'))
    await outcome
    expect(await seed.stepAnnotation()).toMatchObject({ phase: 'waiting', waitsFor: 'a machine', waitsSince })
  })

  test('has failed if its time was over before', async () => {
    const { seed, outcome, end } = await stepOnItsWay(forever)
    await seed.clock.advance(60_000)
    end()
    expect(await outcome).toEqual({ kind: 'recorded', how: 'failed' })
  })

  test('has failed if its time was over first, however shortly before the end of the process', async () => {
    const { seed, outcome, end } = await stepOnItsWay(
      ({ signal }) => new Promise(() => signal.addEventListener('abort', end)),
    )
    await seed.clock.advance(60_000)
    expect(await outcome).toEqual({ kind: 'recorded', how: 'failed' })
  })

  test('is handed back even while its object is validated, and reports no error', async () => {
    const ending = new AbortController()
    const seed = await harness('Network', {
      actuator: {
        validate: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted by the SDK')))
            ending.abort(new Error('the process ends'))
          }),
      },
    })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step({}, seed.observed, ending.signal)).toEqual({
      kind: 'recorded',
      how: 'handed-back',
    })
    expect((await seed.live()).status?.lastError).toBeUndefined()
  })

  test('leaves nothing behind in a process that continues', async () => {
    const ending = new AbortController()
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await seed.step({}, seed.observed, ending.signal)
    expect(getEventListeners(ending.signal, 'abort')).toEqual([])
  })

  test('makes no new claim', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    const ending = new AbortController()
    const port = {
      ...seed.observed,
      get: (...asked: Parameters<typeof seed.observed.get>) => {
        ending.abort(new Error('the process ends'))
        const [resource, key] = asked
        return seed.kubernetes.get(resource, key)
      },
    }
    expect(await seed.step({}, port, ending.signal)).toEqual({
      kind: 'unrecorded',
      reason: 'the process ends',
    })
    expect(await seed.stepAnnotation()).toBeUndefined()
    expect(seed.calls).toEqual([])
  })

  test('releases a claim that was in flight', async () => {
    const seed = await harness('Network', { actuator: { reconcile: forever } })
    await seed.create({ annotation: 'reconcile' })
    const ending = new AbortController()
    const port = {
      ...seed.observed,
      patch: (...asked: Parameters<typeof seed.observed.patch>) => {
        ending.abort(new Error('the process ends'))
        const [, , , options] = asked
        options?.signal?.throwIfAborted()
        return seed.observed.patch(...asked)
      },
    }
    expect(await seed.step({}, port, ending.signal)).toEqual({ kind: 'recorded', how: 'handed-back' })
    expect(await seed.stepAnnotation()).toMatchObject({ phase: 'waiting' })
  })
})
