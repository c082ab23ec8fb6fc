import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { outlookOf } from './outlook.ts'
import { servedBy } from './served.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

const object = (type: string, fields: Partial<KubernetesObject['metadata']> = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Infrastructure',
  metadata: {
    name: 'rose',
    namespace: 'shoot--garden--rose',
    uid: 'u',
    generation: 1,
    creationTimestamp: '2026-11-21T11:00:00Z',
    annotations: {
      'gardener.cloud/operation': 'reconcile',
      'gardener.cloud/timestamp': '2026-11-21T11:00:00Z',
    },
    ...fields,
  },
  spec: { type },
})

const bridge = (env: readonly object[], more: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'bridge', namespace: 'trellis' },
  spec: { template: { spec: { containers: [{ env, ...more }] } } },
})

const serves = (value: string) => bridge([{ name: 'TRELLIS_SERVED', value }])
const secondary = { name: 'TRELLIS_SERVED', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }
const step = JSON.stringify({
  phase: 'waiting',
  operation: 'reconcile',
  attempt: 0,
  until: '2026-11-21T11:00:00.000Z',
  durationMs: 1,
  event: 'e',
  request: '',
  generation: 1,
  was: '',
})
const claimed = (type: string) =>
  object(type, { name: 'other', annotations: { 'trellis.gardener.cloud/step': step } })

test.each<
  [
    what: string,
    bridges: readonly KubernetesObject[] | undefined,
    objects: readonly KubernetesObject[],
    served: readonly unknown[],
  ]
>([
  ['a bridge that serves aws', [serves('Infrastructure/aws')], [], [true, false]],
  ['a bridge that serves another kind', [serves('Worker/aws')], [], [false, false]],
  [
    'two bridges, each with a part',
    [serves('Worker/aws'), serves('Infrastructure/azure')],
    [],
    [false, true],
  ],
  ['a bridge of another class', [serves('Infrastructure/aws/seed')], [], [false, false]],
  ['a bridge without these settings, which sends for all', [bridge([])], [], [true, true]],
  ['a bridge of one kind', [bridge([{ name: 'TRELLIS_KINDS', value: 'Worker' }])], [], [false, false]],
  ['settings from elsewhere', [bridge([secondary])], [], ['unknown', 'unknown']],
  [
    'settings from elsewhere, and a claim',
    [bridge([], { envFrom: [{}] })],
    [claimed('aws')],
    [true, 'unknown'],
  ],
  ['settings that the bridge refuses', [serves('Infrastructure')], [], ['unknown', 'unknown']],
  ['no bridge', [], [], [false, false]],
  ['no bridge any more, and a claim', [], [claimed('aws')], [true, false]],
  ['Deployments that cannot be read', undefined, [], ['unknown', 'unknown']],
  ['Deployments that cannot be read, and a claim', undefined, [claimed('aws')], [true, 'unknown']],
])('with %s, the served types are known as far as they can be', (_, bridges, objects, served) => {
  const isServed = servedBy(bridges, objects)
  expect([isServed(object('aws')), isServed(object('azure'))]).toEqual(served)
})

describe('an object that is due for an hour', () => {
  const outlook = (served: boolean | 'unknown') =>
    outlookOf('Infrastructure', object('azure'), { isFailed: false }, now, served)

  test('is stuck if Trellis serves it', () => {
    expect(outlook(true)).toMatchObject({ state: 'failed', why: expect.stringContaining('It is stuck') })
  })

  test('waits for its own extension if Trellis does not serve it', () => {
    expect(outlook(false)).toEqual({
      state: 'waiting',
      why: 'Trellis does not serve Infrastructures of the type azure here: another extension has to',
      next: { what: 'the work of that extension' },
    })
  })

  test('is neither well nor stuck if that is not known', () => {
    expect(outlook('unknown')).toMatchObject({
      state: 'unknown',
      why: expect.stringContaining('is not known'),
    })
  })
})

describe('the time since which an object is due', () => {
  const since = (fields: Partial<KubernetesObject['metadata']>, status: object = {}) =>
    outlookOf('Infrastructure', { ...object('aws', fields), status }, { isFailed: false }, now).why
  const asked = (timestamp: string) => ({
    annotations: { 'gardener.cloud/operation': 'reconcile', 'gardener.cloud/timestamp': timestamp },
  })
  const succeeded = {
    lastOperation: { type: 'Reconcile', state: 'Succeeded', lastUpdateTime: '2026-11-21T11:50:00Z' },
  }

  test('is not before its creation, whatever its annotation says', () => {
    for (const timestamp of ['2025-12-24T00:00:00Z', '1970-01-01T00:00:00Z', '2027-12-24T00:00:00Z', 'x'])
      expect(since({ ...asked(timestamp), creationTimestamp: '2026-11-21T11:59:49Z' })).toMatch(
        /due since 11 s:/,
      )
  })

  test('of a deletion is not later than now, which would hide for ever that it is stuck', () => {
    const deleted = {
      ...asked('2027-12-24T00:00:00Z'),
      deletionTimestamp: '2026-11-21T11:00:00Z',
      finalizers: ['extensions.gardener.cloud/infrastructure'],
    }
    expect(since(deleted, succeeded)).toMatch(/due since 60 m:.*It is stuck/)
  })
})
