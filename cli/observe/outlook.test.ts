import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { KubernetesObject, ObjectMeta } from '../../shared/kubernetes/kubernetes.ts'
import { outlookOf, type ShootOfObject } from './outlook.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const shoot = { isFailed: false }

const step = (fields: Partial<StepAnnotation>): Readonly<Record<string, string>> => ({
  [annotations.step]: formatStepAnnotation({
    phase: 'waiting',
    operation: 'reconcile',
    attempt: 0,
    until: '2026-11-21T12:00:08.000Z',
    durationMs: 8_000,
    event: 'e1',
    request: '',
    generation: 1,
    was: '',
    ...fields,
  }),
})

interface Given {
  readonly metadata?: Partial<ObjectMeta>
  readonly state?: string
  readonly status?: object
}

const object = ({ metadata = {}, state = 'Succeeded', status = {} }: Given): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: {
    name: 'external',
    namespace: 'shoot--foo--bar',
    uid: 'u1',
    generation: 1,
    creationTimestamp: '2026-11-21T11:00:00Z',
    finalizers: ['extensions.gardener.cloud/dnsrecord'],
    ...metadata,
  },
  spec: { type: 'acme' },
  status: {
    observedGeneration: 1,
    lastOperation: { type: 'Reconcile', state, lastUpdateTime: '2026-11-21T11:59:52Z' },
    ...status,
  },
})

const failure = (codes: readonly string[] = []) => ({
  lastError: { description: 'it broke', codes, lastUpdateTime: '2026-11-21T11:59:52Z' },
})

const outlookFor = (given: Given, of: ShootOfObject = shoot) => outlookOf('DNSRecord', object(given), of, now)

const asked = { annotations: { [annotations.operation]: 'reconcile' } }

const path = 'DNSRecord/shoot--foo--bar/external'
const retry = 'kubectl -n garden annotate shoot bar gardener.cloud/operation=retry'
const unhealthy = [{ type: 'EveryNodeReady', status: 'False', message: 'a node is gone' }]

describe('the command for a reader', () => {
  test.each<[string, string | undefined, Given, ShootOfObject?]>([
    ['nothing is wrong', undefined, {}],
    [
      'a retry waits',
      `trellis retry ${path}`,
      { metadata: { annotations: step({ attempt: 3 }) }, state: 'Error', status: failure() },
    ],
    [
      'a permission is missing',
      'trellis doctor',
      {
        metadata: { annotations: step({ attempt: 3 }) },
        ...{ state: 'Error', status: { lastError: { description: 'dnsrecords is forbidden' } } },
      },
    ],
    ['only the health has failed', `trellis reconcile ${path}`, { status: { conditions: unhealthy } }],
    ['no function claims it', 'trellis doctor', { metadata: asked, state: 'Error' }],
    [
      'the operation is unknown',
      `trellis reconcile ${path}`,
      { metadata: { annotations: { [annotations.operation]: 'reconsile' } } },
    ],
    ['no reconciliation is requested', `trellis reconcile ${path}`, { metadata: { generation: 2 } }],
    ['the shoot has failed', retry, { metadata: asked }, { isFailed: true, retry }],
    [
      'the shoot is paused',
      'trellis resume shoot--foo--bar',
      { metadata: asked },
      { isFailed: false, pause: { until: now + 1000, note: '' } },
    ],
    [
      'a throttled call waits',
      undefined,
      { metadata: { annotations: step({ attempt: 0 }) }, state: 'Error', status: failure() },
    ],
  ])('if %s is %s', (_, expected, given, of) => {
    expect(outlookFor(given, of).run).toBe(expected)
  })
})

describe('the outlook of an object says', () => {
  test('that it is fine', () => {
    expect(outlookFor({})).toEqual({ state: 'ok' })
  })

  test('that a step is running, and until when at the latest', () => {
    const running = step({ phase: 'claimed', until: '2026-11-21T12:01:10.000Z', durationMs: 75_000 })
    expect(outlookFor({ metadata: { annotations: running }, state: 'Processing' })).toMatchObject({
      state: 'working',
      why: 'a step is running, until 12:01:10Z at the latest',
      next: { at: Date.parse('2026-11-21T12:01:10.000Z') },
    })
  })

  test('that it waits, with the reason from its status and the start of the wait', () => {
    const lastOperation = {
      type: 'Create',
      state: 'Processing',
      description: 'Waiting until gateway gw-1 is available',
      lastUpdateTime: '2026-11-21T11:58:00Z',
    }
    expect(
      outlookFor({ metadata: { annotations: step({ waitsFor: 'ready' }) }, status: { lastOperation } }).why,
    ).toBe('Waiting until gateway gw-1 is available, since 2 m')
  })

  test('which object it waits for, without a description in its status', () => {
    const waiting = step({ waitsFor: 'gateway gw-1', waitsSince: '2026-11-21T11:58:00.000Z' })
    expect(outlookFor({ metadata: { annotations: waiting }, state: 'Processing' })).toMatchObject({
      state: 'waiting',
      why: 'waits for gateway gw-1, since 2 m',
      next: { what: 'continue', at: now + 8_000 },
    })
  })

  test('how often it has failed, since when, who acts, and when it is tried again', () => {
    const failed = step({ attempt: 3 })
    const outlook = outlookFor({
      metadata: { annotations: failed },
      state: 'Error',
      status: failure(['ERR_INFRA_QUOTA_EXCEEDED']),
    })
    expect(outlook).toMatchObject({
      state: 'failed',
      why: 'its step has failed 3 times in a row; the wait doubles with each failure, up to 17 minutes',
      next: { what: 'retry 3 of reconcile', at: now + 8_000 },
      error: {
        text: 'it broke',
        codes: ['ERR_INFRA_QUOTA_EXCEEDED'],
        // Two earlier failures, 1 and 2 s before.
        since: Date.parse('2026-11-21T11:59:49Z'),
      },
    })
    expect(outlook.error?.fix).toMatch(/^the user .* asks the cloud for a higher quota/)
  })

  test('that a throttled step waits and has not failed', () => {
    const throttled = outlookFor({
      metadata: { annotations: step({ attempt: 0 }) },
      state: 'Error',
      status: failure(),
    })
    expect(throttled).toMatchObject({ state: 'waiting', error: { text: 'it broke' } })
    expect(throttled.why).toMatch(/throttled/)
  })

  test('that its shoot has failed, also while it waits for its next try', () => {
    const inFailedShoot = { isFailed: true }
    const why = /^the shoot has failed: its objects are held until its user or an operator retries/
    expect(outlookFor({ metadata: asked }, inFailedShoot)).toMatchObject({
      state: 'waiting',
      why: expect.stringMatching(why),
      next: { what: 'reconcile' },
    })
    const failed = outlookFor(
      { metadata: { annotations: step({ attempt: 1 }) }, state: 'Error' },
      inFailedShoot,
    )
    expect(failed.why).toMatch(why)
    expect(failed.next?.at).toBeUndefined()
  })

  test('that the Cluster of its shoot is missing', () => {
    expect(outlookFor({ metadata: asked }, { isFailed: undefined }).why).toMatch(
      /^the Cluster of the shoot is missing/,
    )
  })

  test.each([
    ['2026-11-21T11:59:55.000Z', 'working', 'a step is due since 5 s: no function has claimed it'],
    ['2026-11-21T11:59:20.000Z', 'waiting', 'a step is due since 40 s: no function has claimed it'],
    [
      '2026-11-21T11:50:00.000Z',
      'failed',
      'a step is due since 10 m: no function has claimed it. It is stuck: run trellis doctor',
    ],
  ])('that work due since %s is %s', (timestamp, state, why) => {
    const metadata = { annotations: { ...asked.annotations, [annotations.timestamp]: timestamp } }
    expect(outlookFor({ metadata })).toMatchObject({ state, why, next: { what: 'reconcile', at: now } })
  })

  test('that the requested operation is unknown, with the one that was meant', () => {
    expect(outlookFor({ metadata: { annotations: { [annotations.operation]: 'reconcil' } } })).toMatchObject({
      state: 'waiting',
      why: expect.stringMatching(/"reconcil" is ignored.* Did you mean reconcile\?$/),
      next: { what: expect.stringMatching(/once the annotation is corrected/) },
    })
  })

  test('that its spec has changed without a request', () => {
    expect(outlookFor({ metadata: { generation: 2 } })).toMatchObject({
      state: 'waiting',
      why: expect.stringMatching(/^its spec has changed, but no reconciliation is requested/),
    })
  })

  test.each([
    ['shoot', {}, { isFailed: false, pause: { until: now + 3_600_000, note: 'anna: test' } }],
    ['object', { [annotations.pause]: '2026-11-21T13:00:00Z anna: test' }, shoot],
  ])('that its %s is paused, by whom and until when', (_, own, of) => {
    expect(outlookFor({ metadata: { annotations: { ...asked.annotations, ...own } } }, of)).toMatchObject({
      state: 'waiting',
      why: expect.stringMatching(/^paused until 13:00:00Z by anna: test.*The request to reconcile is kept$/),
      next: { what: 'reconcile', at: now + 3_600_000 },
    })
  })

  test('that it is paused without work, and that an unreadable pause is ignored', () => {
    const noted = (pause: string) => outlookFor({ metadata: { annotations: { [annotations.pause]: pause } } })
    expect(noted('2026-11-21T13:00:00Z')).toEqual({
      state: 'waiting',
      why: 'paused until 13:00:00Z; then it goes on by itself',
      next: { what: 'the end of the pause', at: now + 3_600_000 },
      run: `trellis resume ${path}`,
    })
    expect(noted('24h')).toMatchObject({ state: 'ok', why: expect.stringContaining('pause is ignored') })
  })

  test('that its deletion waits for finalizers of others', () => {
    const metadata = { deletionTimestamp: '2026-11-21T11:59:00Z', finalizers: ['acme.example/own'] }
    expect(outlookFor({ metadata }).why).toBe('its deletion waits for the finalizers acme.example/own')
  })

  test('that it is unhealthy although its last operation succeeded', () => {
    const conditions = [
      {
        type: 'EveryNodeReady',
        status: 'False',
        message: 'a node is gone',
        lastTransitionTime: '2026-11-21T11:30:00Z',
      },
    ]
    expect(outlookFor({ status: { conditions } })).toMatchObject({
      state: 'failed',
      error: {
        text: 'EveryNodeReady is False: a node is gone',
        since: Date.parse('2026-11-21T11:30:00Z'),
      },
    })
  })

  test('that a wait after a success is no trouble', () => {
    const { state, why, next } = outlookFor({ metadata: { annotations: step({ was: 'other' }) } })
    expect({ state, why }).toEqual({ state: 'ok', why: undefined })
    expect(next).toMatchObject({ what: 'reconcile', at: now + 8_000 })
  })
})
