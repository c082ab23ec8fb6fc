import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { fakeKubernetes } from '../testing/fake-kubernetes.ts'
import { createEventRecorder, eventResource } from './event-recorder.ts'
import { noticeOf } from './notice.ts'

type Ended = Extract<BridgeEvent, { type: 'ended' }>

const ended = (fields: Partial<Ended>): Ended => ({
  type: 'ended',
  kind: 'Infrastructure',
  object: 'shoot--foo--bar/x',
  uid: 'u',
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
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

describe('what is said of a step', () => {
  test.each<[Partial<Ended>, string]>([
    [
      { outcome: 'failed', codes: ['ERR_INFRA_UNAUTHORIZED'], description: 'no access', attempt: 1 },
      'Warning StepFailed: reconcile failed (ERR_INFRA_UNAUTHORIZED) and is tried again: no access',
    ],
    [
      { outcome: 'failed', description: 'x'.repeat(1000) },
      `Warning StepFailed: reconcile failed and is tried again: ${'x'.repeat(499)}…`,
    ],
    [
      { outcome: 'expired', operation: 'delete' },
      'Warning StepExpired: a step of delete has ended without writing anything down; another one has taken over',
    ],
    [
      { outcome: 'waits' },
      'Warning StepWaits: reconcile cannot begin or go on: what it needs of the API server could not be read or written; it is tried again',
    ],
    [{ outcome: 'succeeded', attempt: 3 }, 'Normal Recovered: reconcile succeeded after 3 failures'],
  ])('%j', (fields, said) => {
    const { type, reason, message } = noticeOf(ended(fields)) ?? {}
    expect(`${type} ${reason}: ${message}`).toBe(said)
  })

  test.each<Partial<Ended>>([{ outcome: 'succeeded' }, { outcome: 'continues' }])(
    'is nothing where all goes well: %j',
    fields => expect(noticeOf(ended(fields))).toBeUndefined(),
  )
})

describe('a step that fails again and again', () => {
  const setUp = () => {
    const clock = virtualClock(0)
    const kubernetes = fakeKubernetes()
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const writes: { readonly name: string; readonly count: unknown }[] = []
    const { get } = kubernetes.port
    const kept = new Map<string, { count: number }>()
    const recorder = createEventRecorder({
      kubernetes: {
        get: async (resource, key, options) =>
          resource === eventResource ? ({ ...kept.get(key.name) } as never) : get(resource, key, options),
        create: async (_, object) => {
          const { name } = object.metadata
          if (kept.has(name))
            throw Object.assign(
              new (await import('../../shared/kubernetes/kubernetes.ts')).KubernetesError(
                409,
                'AlreadyExists',
                'there',
              ),
            )
          kept.set(name, { count: 1 })
          writes.push({ name, count: 1 })
          return object
        },
        patch: async (_, key, patch) => {
          const { count } = patch as { count: number }
          kept.set(key.name, { count })
          writes.push({ name: key.name, count })
          return {} as never
        },
      },
      clock,
      log,
    })
    return { clock, recorder, counts: () => writes.map(({ count }) => count) }
  }

  test('is told once in five minutes, with how often it has happened', async () => {
    const { clock, recorder, counts } = setUp()
    for (let second = 0; second < 600; second += 30) {
      recorder.observe(ended({ outcome: 'failed', description: 'throttled' }))
      await clock.advance(30_000)
    }
    expect(counts()).toEqual([1, 11])
    recorder.observe(ended({ outcome: 'failed', description: 'throttled' }))
    await clock.advance(0)
    expect(counts()).toEqual([1, 11, 21])
    recorder.close()
  })

  test('is told later where there was no room for it', async () => {
    const { clock, recorder, counts } = setUp()
    for (let object = 0; object <= 250; object++)
      recorder.observe(ended({ outcome: 'failed', uid: `u${object}` }))
    await clock.advance(0)
    const before = counts().length
    expect(before).toBeLessThan(250)
    recorder.observe(ended({ outcome: 'failed', uid: 'u250' }))
    await clock.advance(0)
    expect(counts()).toHaveLength(before + 1)
    recorder.close()
  })

  test('is told anew where so many others have failed since that it is forgotten', async () => {
    const { clock, recorder, counts } = setUp()
    for (let object = 0; object <= 5_000; object++) {
      recorder.observe(ended({ outcome: 'failed', uid: `u${object}` }))
      if (object % 100 === 0) await clock.advance(0)
    }
    await clock.advance(0)
    const before = counts().length
    for (const uid of ['u5000', 'u0']) recorder.observe(ended({ outcome: 'failed', uid }))
    await clock.advance(0)
    expect(counts()).toHaveLength(before + 1)
    recorder.close()
  })

  test('keeps nothing else about the object from being told', async () => {
    const { clock, recorder, counts } = setUp()
    recorder.observe(ended({ outcome: 'failed' }))
    recorder.observe(ended({ outcome: 'expired' }))
    recorder.observe(ended({ outcome: 'succeeded', attempt: 2 }))
    await clock.advance(0)
    expect(counts()).toEqual([1, 1, 1])
    recorder.close()
  })
})
