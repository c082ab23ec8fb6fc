import { describe, expect, test } from 'vitest'
import { annotations } from '../../../shared/contract/constants.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import { decide, isClaimSeen, type Sent } from './decide.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const unclaimedMs = 90_000

const record = (changes: {
  readonly operation?: string
  readonly timestamp?: string
  readonly deleted?: boolean
  readonly last?: { readonly type: string; readonly state: string }
  readonly step?: Partial<StepAnnotation>
}): KubernetesObject => {
  const { operation, timestamp = '2026-11-21T11:59:59.5Z', deleted, last, step } = changes
  return {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: {
      name: 'external',
      namespace: 'shoot--foo--bar',
      uid: 'b1f6',
      generation: 1,
      resourceVersion: '7',
      finalizers: ['extensions.gardener.cloud/dnsrecord'],
      annotations: {
        ...(operation === undefined
          ? {}
          : { [annotations.operation]: operation, [annotations.timestamp]: timestamp }),
        ...(step === undefined
          ? {}
          : {
              [annotations.step]: formatStepAnnotation({
                phase: 'claimed',
                operation: 'reconcile',
                attempt: 0,
                until: '2026-11-21T12:01:00.000Z',
                event: 'e1',
                request: '',
                generation: 1,
                was: 'Reconcile/Succeeded/2026-11-21T11:00:00Z',
                ...step,
              }),
            }),
      },
      ...(deleted ? { deletionTimestamp: '2026-11-21T11:59:58Z' } : {}),
    },
    spec: { type: 'aws-route53' },
    status: last === undefined ? {} : { lastOperation: { ...last, lastUpdateTime: '2026-11-21T11:00:00Z' } },
  }
}

const succeeded = { type: 'Reconcile', state: 'Succeeded' }
const decideOn = (object: KubernetesObject, sent?: Sent, at = now) =>
  decide({ kind: 'DNSRecord', facts: factsOf(object), now: at, sent, hold: undefined, unclaimedMs })

describe('an object without an event in flight', () => {
  test.each<[string, Parameters<typeof record>[0], object]>([
    ['reconcile is asked for', { operation: 'reconcile', last: succeeded }, { operation: 'reconcile' }],
    ['restore is asked for', { operation: 'restore', last: succeeded }, { operation: 'restore' }],
    ['migrate is asked for', { operation: 'migrate', last: succeeded }, { operation: 'migrate' }],
    ['it is being deleted', { deleted: true, last: succeeded }, { operation: 'delete' }],
    ['it has no lastOperation', {}, { operation: 'reconcile', reason: 'created' }],
    [
      'its last operation did not succeed',
      { last: { type: 'Reconcile', state: 'Error' } },
      { operation: 'reconcile', reason: 'resume' },
    ],
    [
      'a claim has expired',
      { last: succeeded, step: { until: '2026-11-21T11:59:00.000Z' } },
      { reason: 'expired' },
    ],
  ])('it is sent if %s', (_, changes, work) => {
    expect(decideOn(record(changes))).toMatchObject({ kind: 'send', work })
  })

  test.each<[string, Parameters<typeof record>[0]]>([
    ['it has succeeded and has no request', { last: succeeded }],
    ['it waits for its state', { operation: 'wait-for-state' }],
    ['an operation is asked for that backends do not know', { operation: 'keepalive', last: succeeded }],
    ['it was migrated', { last: { type: 'Migrate', state: 'Succeeded' } }],
  ])('it is ignored if %s', (_, changes) => {
    expect(decideOn(record(changes))).toEqual({ kind: 'nothing' })
  })

  test('it waits until the claim of a step ends, whatever is requested meanwhile', () => {
    const object = record({
      operation: 'reconcile',
      last: { type: 'Reconcile', state: 'Processing' },
      step: {},
    })
    expect(decideOn(object)).toMatchObject({ kind: 'wait', why: 'claimed', at: now + 60_000 })
  })

  test('it waits until its due time', () => {
    const object = record({
      last: { type: 'Reconcile', state: 'Processing' },
      step: { phase: 'waiting', until: '2026-11-21T12:00:30.000Z' },
    })
    expect(decideOn(object)).toMatchObject({ kind: 'wait', why: 'due later', at: now + 30_000 })
    expect(decideOn(object, undefined, now + 30_000)).toMatchObject({
      kind: 'send',
      work: { operation: 'continue' },
    })
  })

  test('a failed shoot holds only objects that are due', () => {
    const at = { kind: 'DNSRecord', now, sent: undefined, hold: 'shoot failed', unclaimedMs } as const
    expect(decide({ ...at, facts: factsOf(record({ operation: 'reconcile' })) })).toMatchObject({
      kind: 'hold',
      why: 'shoot failed',
    })
    expect(decide({ ...at, facts: factsOf(record({ last: succeeded })) }).kind).toBe('nothing')
  })
})

describe('an object with an event in flight', () => {
  const object = record({ operation: 'reconcile', last: succeeded })
  const first = decideOn(object)
  const sent: Sent = {
    id: first.kind === 'send' ? first.id : '',
    operation: 'reconcile',
    at: now,
    times: 1,
  }
  const newer = record({ operation: 'reconcile', timestamp: '2026-11-21T12:00:00.7Z', last: succeeded })

  test('the same cause waits for the claim, and is sent again with the same id if none follows', () => {
    expect(decideOn(object, sent, now + 89_999)).toMatchObject({ why: 'claim awaited', at: now + 90_000 })
    expect(decideOn(object, sent, now + 90_000)).toMatchObject({ kind: 'send', id: sent.id })
  })

  test.each([
    [1, 90],
    [2, 180],
    [3, 360],
    [4, 720],
    [20, 720],
  ])('sent %i times, it waits %i s before the next attempt', (times, seconds) => {
    expect(decideOn(object, { ...sent, times })).toMatchObject({ at: now + seconds * 1000 })
  })

  test('a newer request for the same operation relies on it for 5 s, then gets its own event', () => {
    expect(decideOn(newer, sent, now + 4_999)).toMatchObject({ why: 'covered', at: now + 5_000 })
    const later = decideOn(newer, sent, now + 5_000)
    expect(later.kind).toBe('send')
    expect(later).not.toMatchObject({ id: sent.id })
  })

  test('a newer request for the same operation is sent at once if the event was already claimed', () => {
    const step = { event: sent.id, was: '' }
    const again = record({
      operation: 'reconcile',
      timestamp: '2026-11-21T12:00:00.7Z',
      last: succeeded,
      step,
    })
    expect(decideOn(again, sent)).toMatchObject({ kind: 'send', work: { operation: 'reconcile' } })
  })

  test('another operation does not wait for it', () => {
    expect(decideOn(record({ deleted: true, last: succeeded }), sent)).toMatchObject({
      kind: 'send',
      work: { operation: 'delete' },
    })
  })

  test.each<[string, KubernetesObject, boolean]>([
    ['nothing is left to do', record({ last: succeeded }), true],
    ['a step has claimed the object', record({ last: succeeded, step: {} }), true],
    ['the request still stands', object, false],
    ['only the request changed', newer, false],
  ])('it counts as claimed or not if %s', (_, seen, settled) => {
    expect(isClaimSeen(decideOn(seen, sent))).toBe(settled)
  })
})
