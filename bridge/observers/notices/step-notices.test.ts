import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { createEventRecorder } from './event-recorder.ts'
import { noticeOf } from './notice.ts'

type Ended = Extract<BridgeEvent, { type: 'ended' }>

const ended = (fields: Partial<Ended>): Ended => ({
  type: 'ended',
  kind: 'Infrastructure',
  object: 'shoot--foo--bar/x',
  uid: 'u',
  provider: 'aws',
  operation: 'reconcile',
  outcome: 'succeeded',
  codes: [],
  description: '',
  attempt: 0,
  tookMs: 1,
  requestMs: 1,
  ...fields,
})

describe('the notice of a step', () => {
  test.each<[Partial<Ended>, string]>([
    [
      { outcome: 'failed', codes: ['ERR_INFRA_UNAUTHORIZED'], description: 'no access', attempt: 1 },
      'Warning StepFailed: reconcile failed (ERR_INFRA_UNAUTHORIZED) and is retried: no access',
    ],
    [
      { outcome: 'failed', description: 'x'.repeat(1000) },
      `Warning StepFailed: reconcile failed and is retried: ${'x'.repeat(499)}…`,
    ],
    [
      { outcome: 'expired', operation: 'delete' },
      'Warning StepExpired: a step of delete ended without recording an outcome; another step has started',
    ],
    [
      { outcome: 'waits' },
      'Warning StepWaits: reconcile cannot start or continue: reading or writing an object in the API server failed; it is retried',
    ],
    [
      { outcome: 'waits', operation: 'delete', description: 'Error deleting Network: etcd is away' },
      'Warning StepWaits: delete cannot start or continue: reading or writing an object in the API server failed; it is retried: Error deleting Network: etcd is away',
    ],
    [{ outcome: 'succeeded', attempt: 3 }, 'Normal Recovered: reconcile succeeded after 3 failures'],
  ])('%j', (fields, said) => {
    const { type, reason, message } = noticeOf(ended(fields)) ?? {}
    expect(`${type} ${reason}: ${message}`).toBe(said)
  })

  test.each<Partial<Ended>>([{ outcome: 'succeeded' }, { outcome: 'continues' }])(
    'a success without a failure before has none: %j',
    fields => expect(noticeOf(ended(fields))).toBeUndefined(),
  )
})

interface StoredEvent {
  readonly count: number
  readonly reason: string
  readonly message: string
  readonly lastTimestamp: string
}

const setUp = () => {
  const clock = virtualClock(0)
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const counts: number[] = []
  const stored = new Map<string, StoredEvent>()
  let isRefused = false
  const store = (name: string, event: StoredEvent) => {
    stored.set(name, event)
    counts.push(event.count)
  }
  const recorder = createEventRecorder({
    kubernetes: {
      get: async (_, { name }) => ({ ...stored.get(name) }) as never,
      create: async (_, object) => {
        const { name } = object.metadata
        if (isRefused) throw new KubernetesError(403, 'Forbidden', 'no')
        if (stored.has(name)) throw new KubernetesError(409, 'AlreadyExists', 'there')
        store(name, object as unknown as StoredEvent)
        return object
      },
      patch: async (_, { name }, patch) => {
        store(name, { ...(stored.get(name) as StoredEvent), ...patch })
        return {} as never
      },
    },
    clock,
    log,
  })
  return {
    clock,
    recorder,
    counts: () => counts,
    stored: () => [...stored.values()],
    refuse: (refused: boolean) => {
      isRefused = refused
    },
    /** The last lines of `kubectl describe`. Several if their order is undefined. */
    last: () => {
      const events = [...stored.values()]
      const newest = events
        .map(({ lastTimestamp }) => lastTimestamp)
        .toSorted()
        .at(-1)
      return events
        .filter(({ lastTimestamp }) => lastTimestamp === newest)
        .map(({ reason, message }) => `${reason}: ${message}`)
    },
  }
}

describe('a step that fails repeatedly', () => {
  test('its notice is written once in five minutes, with the number of repeats', async () => {
    const { clock, recorder, counts } = setUp()
    for (let second = 0; second < 600; second += 30) {
      recorder.event(ended({ outcome: 'failed', description: 'throttled' }))
      await clock.advance(30_000)
    }
    expect(counts()).toEqual([1, 11])
    recorder.event(ended({ outcome: 'failed', description: 'throttled' }))
    await clock.advance(0)
    expect(counts()).toEqual([1, 11, 21])
    recorder.close()
  })

  test('its notice is written later if there was no room for it', async () => {
    const { clock, recorder, counts } = setUp()
    for (let object = 0; object <= 250; object++)
      recorder.event(ended({ outcome: 'failed', uid: `u${object}` }))
    await clock.advance(0)
    const before = counts().length
    expect(before).toBeLessThan(250)
    recorder.event(ended({ outcome: 'failed', uid: 'u250' }))
    await clock.advance(0)
    expect(counts()).toHaveLength(before + 1)
    recorder.close()
  })

  test('its notice is written again after many other failures, because it was forgotten', async () => {
    const { clock, recorder, counts } = setUp()
    for (let object = 0; object <= 5_000; object++) {
      recorder.event(ended({ outcome: 'failed', uid: `u${object}` }))
      if (object % 100 === 0) await clock.advance(0)
    }
    await clock.advance(0)
    const before = counts().length
    for (const uid of ['u5000', 'u0']) recorder.event(ended({ outcome: 'failed', uid }))
    await clock.advance(0)
    expect(counts()).toHaveLength(before + 1)
    recorder.close()
  })

  test('it does not block other notices of the object', async () => {
    const { clock, recorder, counts } = setUp()
    recorder.event(ended({ outcome: 'failed' }))
    recorder.event(ended({ outcome: 'expired' }))
    recorder.event(ended({ outcome: 'succeeded', attempt: 2 }))
    await clock.advance(0)
    expect(counts()).toEqual([1, 1, 1])
    recorder.close()
  })
})

describe('the last Event of an object', () => {
  const failed = (description: string) => ended({ outcome: 'failed', description })
  const recovered = ended({ outcome: 'succeeded', attempt: 1 })

  test('it shows the error of the status as soon as that changes', async () => {
    const { clock, recorder, last } = setUp()
    recorder.event(failed('SignatureDoesNotMatch'))
    await clock.advance(30_000)
    recorder.event(failed('no such Secret'))
    await clock.advance(0)
    expect(last()).toEqual(['StepFailed: reconcile failed and is retried: no such Secret'])
    recorder.close()
  })

  test('it is never Recovered while the object is in Error', async () => {
    const { clock, recorder, last, counts } = setUp()
    recorder.event(failed('throttled'))
    await clock.advance(30_000)
    recorder.event(recovered)
    recorder.event(failed('throttled'))
    await clock.advance(0)
    expect(last()).toEqual(['StepFailed: reconcile failed and is retried: throttled'])
    expect(counts()).toEqual([1, 1, 2])
    recorder.close()
  })

  test('it is right even if every failure has a different text, and the number of Events is bounded', async () => {
    const { clock, recorder, last, stored } = setUp()
    for (let second = 0; second < 3_600; second++) {
      recorder.event(failed(`request ${second}`))
      await clock.advance(1_000)
    }
    expect(stored().length).toBeLessThanOrEqual(10 + 12)
    await clock.advance(300_000)
    expect(last()).toEqual(['StepFailed: reconcile failed and is retried: request 3599'])
    recorder.close()
  })

  test('it is written again if the API server had refused it', async () => {
    const { clock, recorder, last, refuse } = setUp()
    refuse(true)
    recorder.event(failed('throttled'))
    await clock.advance(1_000)
    refuse(false)
    recorder.event(failed('throttled'))
    await clock.advance(0)
    expect(last()).toEqual(['StepFailed: reconcile failed and is retried: throttled'])
    recorder.close()
  })

  test('it is the newest notice after any history, within five minutes, and leaves no timer behind', async () => {
    const step = fc.record({
      event: fc.constantFrom(failed('a'), failed('b'), failed('c'), recovered, ended({ outcome: 'expired' })),
      afterMs: fc.constantFrom(0, 300, 1_000, 30_000, 299_000, 400_000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async steps => {
        const { clock, recorder, last, counts } = setUp()
        for (const { event, afterMs } of steps) {
          recorder.event(event)
          await clock.advance(afterMs)
        }
        await clock.advance(300_000)
        const { reason, message } = noticeOf(steps.at(-1)?.event ?? recovered) ?? {}
        expect(last()).toEqual([`${reason}: ${message}`])
        expect(counts().length).toBeLessThanOrEqual(10 + Math.floor(clock.now() / 300_000))
        recorder.close()
        expect(clock.pending()).toEqual([])
      }),
    )
  })
})
