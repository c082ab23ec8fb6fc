import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError } from '../../shared/contract/errors.ts'
import { type Actuator, continueAfter, type StepResult } from '../../shared/lifecycle/lifecycle.ts'
import { harness } from './harness.ts'

const failing = (error: Error) => async () => {
  throw error
}

describe('retries', () => {
  test('of a plain error double their delay, and restart with a new request', async () => {
    const seed = await harness('Network', { actuator: { reconcile: failing(new Error('no')) } })
    await seed.create({ annotation: 'reconcile' })
    for (const expected of [1_000, 2_000, 4_000, 8_000]) {
      await seed.step({ reason: 'retry' })
      expect(await seed.waitMs()).toBe(expected)
      await seed.clock.advance(expected)
    }
    await seed.patch({
      metadata: {
        annotations: {
          [annotations.operation]: 'reconcile',
          [annotations.timestamp]: '2026-11-21T13:00:00Z',
        },
      },
    })
    await seed.step()
    expect(await seed.waitMs()).toBe(1_000)
  })

  test('of a requeue-after error wait exactly its delay, report its cause and do not count as a failure', async () => {
    const seed = await harness('DNSRecord', {
      actuator: {
        reconcile: failing(
          new RequeueAfterError(
            new CodedError('Throttling', { codes: ['ERR_INFRA_RATE_LIMITS_EXCEEDED'] }),
            30_000,
          ),
        ),
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(await seed.waitMs()).toBe(30_000)
    expect((await seed.stepAnnotation())?.attempt).toBe(0)
    expect((await seed.live()).status?.lastError).toMatchObject({
      description: 'Error reconciling DNSRecord: Throttling',
      codes: ['ERR_INFRA_RATE_LIMITS_EXCEEDED'],
    })
  })

  test('of a wrapped requeue-after error use plain backoff', async () => {
    const wrapped = new Error('wrapped', { cause: new RequeueAfterError(new Error('later'), 30_000) })
    const seed = await harness('DNSRecord', { actuator: { reconcile: failing(wrapped) } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(await seed.waitMs()).toBe(1_000)
  })

  test('of an Extension use its resync interval instead of the requested delay', async () => {
    const seed = await harness('Extension', {
      backend: { resyncMs: 600_000 },
      actuator: { reconcile: failing(new RequeueAfterError(new Error('later'), 30_000)) },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(await seed.waitMs()).toBe(600_000)
  })

  test('are not started early by an event that does not name their end, whatever its reason', async () => {
    const seed = await harness('Network', {
      actuator: { reconcile: failing(new RequeueAfterError(new Error('later'), 30_000)) },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(await seed.step({ reason: 'retry' })).toEqual({ kind: 'recorded', how: 'not-due' })
    await seed.clock.advance(29_000)
    expect(await seed.step({ reason: 'touched' })).toEqual({ kind: 'recorded', how: 'not-due' })
    expect(seed.calls).toHaveLength(1)
  })

  test('do not start before they are due, and start with the event of the bridge', async () => {
    const seed = await harness('Network', { actuator: { reconcile: failing(new Error('no')) } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.clock.advance(500)
    expect(await seed.step({ reason: 'annotation' })).toEqual({ kind: 'recorded', how: 'not-due' })
    expect(await seed.step({ id: await seed.dueId() })).toEqual({ kind: 'recorded', how: 'failed' })
    expect(seed.calls).toHaveLength(2)
  })
})

describe('a continue', () => {
  test('runs early once with the event of the bridge, however often that is delivered', async () => {
    const seed = await harness('Worker', {
      actuator: { reconcile: async () => continueAfter(300_000, 50, 'machines') },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    const id = await seed.dueId()
    await seed.clock.advance(1_000)
    const outcomes = [await seed.step({ id, reason: 'changed' }), await seed.step({ id, reason: 'due' })]
    expect(outcomes).toEqual([
      { kind: 'recorded', how: 'continues' },
      { kind: 'recorded', how: 'not-due' },
    ])
    expect(seed.calls.map(({ context }) => context.resumed)).toEqual([false, true])
  })
})

describe('a resync', () => {
  test('of an Extension reconciles again after each reconcile', async () => {
    const seed = await harness('Extension', { backend: { resyncMs: 60_000 } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(await seed.waitMs()).toBe(60_000)
    expect(await seed.stepAnnotation()).toMatchObject({ attempt: 0 })
    await seed.clock.advance(60_000)
    expect(await seed.step({ reason: 'due' })).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(seed.calls).toHaveLength(2)
  })

  test.each([
    ['with an interval of 0', 0, 'reconcile'],
    ['after a restore', 60_000, 'restore'],
  ] as const)('of an Extension does not happen %s', async (_, resyncMs, annotation) => {
    const seed = await harness('Extension', { backend: { resyncMs } })
    await seed.create({ annotation })
    await seed.step()
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
  })

  test('of a ControlPlane that requests another run retains the restore annotation until it no longer does', async () => {
    let runs = 0
    const seed = await harness('ControlPlane', {
      actuator: {
        reconcile: async () => (runs++ === 0 ? { kind: 'done', againAfterMs: 2_000 } : { kind: 'done' }),
      },
    })
    await seed.create({ annotation: 'restore' })
    await seed.step()
    expect((await seed.live()).metadata.annotations?.[annotations.operation]).toBe('restore')
    expect(await seed.waitMs()).toBe(2_000)
    await seed.clock.advance(2_000)
    await seed.step({ reason: 'due' })
    expect((await seed.live()).metadata.annotations?.[annotations.operation]).toBeUndefined()
  })
})

describe('a continuation', () => {
  test('retains the progress until there is new progress', async () => {
    const progress = [30, 60]
    const seed = await harness('Network', {
      actuator: {
        reconcile: async () => ({
          kind: 'continue',
          afterMs: 5_000,
          progress: progress.shift() ?? 99,
          description: 'Waiting',
        }),
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    const writes = seed.statusWrites().length
    await seed.clock.advance(5_000)
    await seed.step({ reason: 'due' })
    expect(seed.statusWrites().length).toBe(writes + 1)
    expect((await seed.live()).status?.lastOperation?.progress).toBe(60)
    expect((await seed.stepAnnotation())?.attempt).toBe(0)
  })

  const waiting = (waitsFor: string) =>
    ({ kind: 'continue', afterMs: 5_000, progress: 40, description: 'Waiting', waitsFor }) as const

  test('that names its awaited resource reports the start of the wait, until it waits for another one', async () => {
    const names = ['machines', 'machines', 'machines', 'volumes', 'volumes']
    const seed = await harness('Network', {
      actuator: { reconcile: async () => waiting(names.shift() ?? 'nothing') },
    })
    await seed.create({ annotation: 'reconcile' })
    const begin = seed.clock.now()
    for (let count = 0; count < 5; count++) {
      await seed.step({ reason: 'due' })
      await seed.clock.advance(5_000)
    }
    expect(seed.calls.map(({ context }) => context.waited)).toEqual([
      undefined,
      { for: 'machines', since: begin },
      { for: 'machines', since: begin },
      { for: 'machines', since: begin },
      { for: 'volumes', since: begin + 15_000 },
    ])
  })

  test('restarts its wait after an error, and after a new request', async () => {
    const results = [
      async () => waiting('machines'),
      failing(new Error('no')),
      async () => waiting('machines'),
      async () => waiting('machines'),
    ]
    const seed = await harness('Network', {
      actuator: { reconcile: async () => (await results.shift()?.()) ?? waiting('machines') },
    })
    await seed.create({ annotation: 'reconcile' })
    for (let count = 0; count < 3; count++) {
      await seed.step({ reason: 'due' })
      await seed.clock.advance(5_000)
    }
    const [operation, timestamp] = [annotations.operation, annotations.timestamp]
    await seed.patch({
      metadata: { annotations: { [operation]: 'reconcile', [timestamp]: '2026-11-21T13:00:00Z' } },
    })
    await seed.step()
    expect(seed.calls.map(({ context }) => context.waited?.for)).toEqual([
      undefined,
      'machines',
      undefined,
      undefined,
    ])
  })
})

describe('a step that requests the next one soon', () => {
  type Step = Parameters<NonNullable<Actuator['reconcile']>>[0]
  /** Returns the pauses after a number of steps, in milliseconds. */
  const pausesOf = async (count: number, reconcile: (step: Step) => Promise<StepResult>) => {
    const seed = await harness('Network', { actuator: { reconcile } })
    await seed.create({ annotation: 'reconcile' })
    const pauses: number[] = []
    for (let index = 0; index < count; index++) {
      await seed.step({ reason: 'due' })
      const pause = await seed.waitMs()
      pauses.push(pause)
      await seed.clock.advance(pause)
    }
    return { seed, pauses }
  }
  const same = async () => continueAfter(0, 99, 'Going on')

  test('waits ever longer while nothing changes, even if it reports writes', async () => {
    const { pauses } = await pausesOf(8, async step => {
      step.throwIfExpired()
      return same()
    })
    // The description of the first step is new, so this step counts as a change.
    expect(pauses).toEqual([0, 500, 500, 500, 750, 1_125, 1_688, 2_532])
  })

  test('waits ever longer while it writes nothing, whatever its text', async () => {
    let count = 0
    const { pauses } = await pausesOf(5, async () => continueAfter(0, 50, `Round ${count++}`))
    expect(pauses).toEqual([500, 500, 500, 750, 1_125])
  })

  test('runs at once while it writes and reports new progress', async () => {
    let count = 0
    const { pauses } = await pausesOf(5, async step => {
      step.throwIfExpired()
      return continueAfter(0, 50, `${count++} are gone`)
    })
    expect(pauses).toEqual([0, 0, 0, 0, 0])
  })

  test('runs at once while its state changes, saved before the end or with it', async () => {
    let count = 0
    const saving = await pausesOf(3, async step => {
      await step.saveStatus({ state: { count: count++ } })
      return same()
    })
    expect(saving.pauses).toEqual([0, 0, 0])
    const ending = await pausesOf(3, async () => ({
      ...continueAfter(0, 99, 'Going on'),
      status: { state: { count: count++ } },
    }))
    expect(ending.pauses).toEqual([0, 0, 0])
  })

  test('fails after ten minutes without a change, and reports so', async () => {
    const { seed } = await pausesOf(80, same)
    expect((await seed.live()).status?.lastError?.description).toMatch(
      /^Error reconciling Network: Going on: no step has changed anything for 10 minutes/,
    )
  })

  test.each([
    [99, 500],
    [100, 100],
  ])('after %s ms waits %s ms', async (afterMs, expected) => {
    const { pauses } = await pausesOf(1, async () => continueAfter(afterMs, 50, 'Going on'))
    expect(pauses).toEqual([expected])
  })

  test('waits half a second if it names an awaited resource', async () => {
    const { pauses } = await pausesOf(4, async () => ({ ...(await same()), waitsFor: 'machines' }))
    expect(pauses).toEqual([500, 500, 500, 500])
  })

  test('waits half a second after an error without a delay, and after a success that requests another run', async () => {
    const failed = await pausesOf(2, failing(new RequeueAfterError(new Error('no'), 0)))
    expect(failed.pauses).toEqual([500, 500])
    const again = await pausesOf(2, async () => ({ kind: 'done', againAfterMs: 0 }))
    expect(again.pauses).toEqual([500, 500])
  })
})
