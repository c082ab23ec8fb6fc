import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import {
  formatStepAnnotation,
  parseStepAnnotation,
  type StepAnnotation,
} from '../../shared/contract/step-annotation.ts'
import { type Harness, harness } from './harness.ts'

const hour = 3_600_000
const failing = {
  reconcile: async () => {
    throw new Error('no')
  },
  remove: async () => {
    throw new Error('no')
  },
}
const stepOf = async (seed: Harness): Promise<StepAnnotation> => {
  const step = parseStepAnnotation((await seed.live()).metadata.annotations?.[annotations.step])
  if (step === undefined) throw new Error('there is no step')
  return step
}

/** Writes the claim of a step with another clock. */
const claimedBy = async (seed: Harness, clockMs: number) => {
  const step = formatStepAnnotation({
    phase: 'claimed',
    operation: 'reconcile',
    attempt: 0,
    until: new Date(seed.clock.now() + clockMs + 75_000).toISOString(),
    durationMs: 75_000,
    event: 'dead',
    request: '',
    generation: 1,
    was: '',
  })
  await seed.patch({ metadata: { annotations: { [annotations.step]: step } } })
}

describe('a wait', () => {
  const waiting = async (): Promise<Harness> => {
    const seed = await harness('Network', { actuator: failing })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    return seed
  }

  test.each([-hour, -5_000, 0, hour])(
    'ends with the event of the bridge, despite a clock that is off by %s ms',
    async off => {
      const seed = await waiting()
      const id = await seed.dueId()
      await seed.clock.advance(1_000)
      const now = seed.clock.now()
      seed.clock.now = () => now + off
      expect(await seed.step({ id, reason: 'retry' })).toEqual({ kind: 'recorded', how: 'failed' })
    },
  )

  test.each(['touched', 'changed', 'due', 'retry', 'expired', 'deletion', 'annotation'])(
    'does not end with an event that only says %s, even if it has expired by the clock of the function',
    async reason => {
      const seed = await waiting()
      for (const ms of [0, 1_000, hour]) {
        await seed.clock.advance(ms)
        expect(await seed.step({ id: 'forged', reason })).toEqual({ kind: 'recorded', how: 'not-due' })
      }
      expect(seed.calls).toHaveLength(1)
    },
  )

  test('ends once with the event that names it, and the next wait is longer', async () => {
    const seed = await waiting()
    const id = await seed.dueId()
    for (let delivery = 0; delivery < 5; delivery++) await seed.step({ id, reason: 'retry' })
    expect(seed.calls).toHaveLength(2)
    expect(await stepOf(seed)).toMatchObject({ phase: 'waiting', attempt: 2, durationMs: 2_000 })
  })

  test('of a deleting object ends when the object changes, and the attempts continue to count', async () => {
    const seed = await waiting()
    await seed.remove()
    await seed.step()
    expect(await stepOf(seed)).toMatchObject({ operation: 'delete', attempt: 1 })
    expect(await seed.step({ id: 'any' }), 'untouched').toEqual({ kind: 'recorded', how: 'not-due' })
    await seed.patch({ metadata: { labels: { team: 'a' } } })
    expect(await seed.step({ id: 'any' }), 'touched').toEqual({ kind: 'recorded', how: 'failed' })
    expect(await stepOf(seed)).toMatchObject({ operation: 'delete', attempt: 2 })
    expect(await seed.step({ id: 'any' }), 'its own writes are no touch').toEqual({
      kind: 'recorded',
      how: 'not-due',
    })
    await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
    expect(await seed.step({ id: 'any' }), 'asked').toEqual({ kind: 'recorded', how: 'failed' })
  })

  test('of a deleting object ends at once if the object changed during the step', async () => {
    const seed = await harness('Network', {
      actuator: {
        remove: async () => {
          await seed.patch({ metadata: { labels: { team: 'a' } } })
          throw new Error('no')
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.remove()
    await seed.step()
    expect(await seed.step({ id: 'any' })).toEqual({ kind: 'recorded', how: 'failed' })
  })
})

describe('a claim', () => {
  test.each([2 * hour, 24 * 365 * hour])(
    'of a clock that is ahead by %s ms is taken over only when the bridge reports that it has expired',
    async ahead => {
      const seed = await harness('Network')
      await seed.create({ annotation: 'reconcile' })
      await claimedBy(seed, ahead)
      expect(await seed.step({ id: 'other' })).toMatchObject({ kind: 'busy', retryAfterSeconds: 30 })
      expect(await seed.step({ id: await seed.dueId() })).toEqual({ kind: 'recorded', how: 'succeeded' })
    },
  )

  test('of a clock that is behind is taken over only by that event', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await claimedBy(seed, -hour)
    expect(await seed.step({ id: 'other' })).toMatchObject({ kind: 'busy' })
    expect(await seed.step({ id: await seed.dueId() })).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('that may be alive is waited for, even by the event that reports its expiry', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await claimedBy(seed, -45_000)
    expect(await seed.step({ id: await seed.dueId() })).toEqual({ kind: 'busy', retryAfterSeconds: 30 })
    await seed.clock.advance(30_000)
    expect(await seed.step({ id: await seed.dueId() })).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('that has expired is taken over by one of two steps', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await claimedBy(seed, 24 * hour)
    const id = await seed.dueId()
    const outcomes = await Promise.all([seed.step({ id }), seed.step({ id })])
    expect(seed.calls).toHaveLength(1)
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['busy', 'recorded'])
  })

  test('records its duration, and so does a wait', async () => {
    let claim: StepAnnotation | undefined
    const seed = await harness('Network', {
      actuator: {
        reconcile: async () => {
          claim = await stepOf(seed)
          throw new Error('no')
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(claim).toMatchObject({ phase: 'claimed', durationMs: 75_000 })
    expect(await stepOf(seed)).toMatchObject({ phase: 'waiting', durationMs: 1_000 })
  })
})
