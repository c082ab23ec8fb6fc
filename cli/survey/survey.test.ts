import { beforeEach, describe, expect, test } from 'vitest'
import { type ApiServer, createApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import type { PlannedKind } from '../plan/planned-kinds.ts'
import { type SurveyedShoot, type SurveyOptions, surveySeed } from './survey.ts'
import { settledObject, succeeded } from './testing/settled-object.ts'

const planner = (kind: KindName): PlannedKind => ({
  kind,
  planners: [
    {
      kind,
      types: ['acme'],
      permissions: [],
      connect: async () => undefined,
      plan: () => Promise.reject(new Error('the survey has its own plan')),
    },
  ],
})
const planned = [planner('Infrastructure'), planner('DNSRecord'), planner('BackupBucket')]
const shoots = ['shoot--p--a', 'shoot--p--b', 'shoot--p--c']

let clock: VirtualClock
let server: ApiServer
let kubernetes: Kubernetes

beforeEach(() => {
  clock = virtualClock(Date.parse('2026-11-21T12:10:00Z'))
  server = createApiServer({
    clock,
    deletionProtection: false,
    objects: [
      ...allCrds(),
      ...shoots.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ],
  })
  for (const namespace of shoots) {
    put(settledObject('Infrastructure', { namespace, name: 'net' }))
    put(settledObject('DNSRecord', { namespace, name: 'api' }))
  }
  put(settledObject('BackupBucket', { name: 'backups' }))
  kubernetes = createKubernetes({ transport: server.transport, clock })
})

/** Stores an object behind the API, with its status and generation. */
const put = (object: KubernetesObject) => {
  const { plural, group } = kinds[object.kind as KindName].resource
  const { namespace, name } = object.metadata
  server.store.collection(`${plural}.${group}`).put(storeKey(namespace, name), object)
}

const survey = async (options: Partial<SurveyOptions<string>> = {}) => {
  const opened = await surveySeed<string>({
    kubernetes,
    clock,
    planned,
    plan: async ({ kind }) => `plan of ${kind}`,
    signal: new AbortController().signal,
    ...options,
  })
  return opened
}

const resultsOf = async (options: Partial<SurveyOptions<string>> = {}) => {
  const results: SurveyedShoot<string>[] = []
  for await (const result of (await survey(options)).results()) results.push(result)
  return results
}

/** `shoot--p--a Infrastructure/net: plan of Infrastructure`. */
const linesOf = (results: readonly SurveyedShoot<string>[]): readonly string[] =>
  results.flatMap(({ shoot, objects }) =>
    objects.map(({ kind, name, outcome, unsettled }) => {
      const what =
        outcome.kind === 'planned' ? outcome.plan : outcome.kind === 'failed' ? outcome.error : outcome.kind
      return `${shoot ?? '-'} ${kind}/${name}: ${what}${unsettled === undefined ? '' : ` (${unsettled})`}`
    }),
  )

describe('a survey', () => {
  test('it plans every object with a plan, in the order of shoots and kinds', async () => {
    put(settledObject('DNSRecord', { namespace: 'shoot--p--a', name: 'other' }, { spec: { type: 'gcp' } }))
    const progress: string[] = []
    const opened = await survey({ onProgress: ({ done, total }) => progress.push(`${done}/${total}`) })
    expect(opened).toMatchObject({
      total: 7,
      shoots: 3,
      unread: [],
      unplanned: [{ kind: 'DNSRecord', type: 'gcp', count: 1 }],
    })
    const results: SurveyedShoot<string>[] = []
    for await (const result of opened.results()) results.push(result)
    expect(linesOf(results)).toEqual([
      '- BackupBucket/backups: plan of BackupBucket',
      ...shoots.flatMap(name => [
        `${name} Infrastructure/net: plan of Infrastructure`,
        `${name} DNSRecord/api: plan of DNSRecord`,
      ]),
    ])
    expect(progress.at(-1)).toBe('7/7')
    expect(server.requests.entries().filter(({ verb }) => verb !== 'get' && verb !== 'list')).toEqual([])
  })

  test('it is limited to the given shoots and kinds', async () => {
    const results = await resultsOf({ shoots: ['shoot--p--b'], kinds: ['DNSRecord'] })
    expect(linesOf(results)).toEqual(['shoot--p--b DNSRecord/api: plan of DNSRecord'])
  })

  test.each<[string, Parameters<typeof settledObject>[2], string]>([
    [
      'a request',
      { metadata: { annotations: { [annotations.operation]: 'reconcile' } } },
      'its reconcile is requested',
    ],
    [
      'a new spec',
      { metadata: { generation: 2 } },
      'generation 2 of its spec is not applied yet (observed: 1), and waits for a request to reconcile',
    ],
    [
      'a deletion',
      { metadata: { deletionTimestamp: '2026-11-21T12:00:00Z', finalizers: ['x/y'] } },
      'its deletion is requested',
    ],
    [
      'an error',
      {
        status: {
          lastOperation: { ...succeeded, state: 'Error' },
          lastError: { description: 'no quota' },
        },
      },
      'its last operation failed: no quota',
    ],
    ['another controller', { metadata: { annotations: {} } }, 'Trellis has never reconciled it'],
    [
      'a migration',
      { status: { lastOperation: { ...succeeded, type: 'Migrate' } } },
      'it was migrated to another seed',
    ],
  ])('it does not plan an object that is not settled, because of %s', async (_, parts, why) => {
    const one = { namespace: 'shoot--p--a', name: 'net' }
    put(settledObject('Infrastructure', one, parts))
    const chosen = { shoots: ['shoot--p--a'], kinds: ['Infrastructure'] as const }
    expect(linesOf(await resultsOf(chosen))).toEqual([`shoot--p--a Infrastructure/net: skipped (${why})`])
    expect(linesOf(await resultsOf({ ...chosen, plansUnsettled: true }))).toEqual([
      `shoot--p--a Infrastructure/net: plan of Infrastructure (${why})`,
    ])
  })

  test('an object whose next step is scheduled after a success is settled until then', async () => {
    const step = {
      phase: 'waiting',
      operation: 'reconcile',
      attempt: 0,
      event: 'e-1',
      generation: 1,
    }
    const waits = (until: string) =>
      put(
        settledObject(
          'Infrastructure',
          { namespace: 'shoot--p--a', name: 'net' },
          { metadata: { annotations: { [annotations.step]: JSON.stringify({ ...step, until }) } } },
        ),
      )
    const chosen = { shoots: ['shoot--p--a'], kinds: ['Infrastructure'] as const }
    waits('2026-11-22T12:00:00Z')
    expect(linesOf(await resultsOf(chosen))).toEqual([
      'shoot--p--a Infrastructure/net: plan of Infrastructure',
    ])
    waits('2026-11-21T12:05:00Z')
    expect(linesOf(await resultsOf(chosen))).toEqual([
      'shoot--p--a Infrastructure/net: skipped (its reconcile is requested)',
    ])
  })

  test('a failed plan and a refused kind do not end it', async () => {
    server.faults.add({
      matches: ({ path }) => path.includes('/backupbuckets'),
      effect: { kind: 'answer', code: 403, reason: 'Forbidden' },
    })
    const plan = async ({ kind, metadata }: KubernetesObject) => {
      if (kind === 'DNSRecord' && metadata.namespace === 'shoot--p--b') throw new Error('the zone is gone')
      return 'fine'
    }
    const opened = await survey({ plan })
    expect(opened.unread).toEqual(['BackupBuckets'])
    expect(opened.missing).toEqual(['BackupBuckets: you may not list them'])
    const results: SurveyedShoot<string>[] = []
    for await (const result of opened.results()) results.push(result)
    expect(linesOf(results)).toContain('shoot--p--b DNSRecord/api: the zone is gone')
    expect(linesOf(results).filter(line => line.endsWith(': fine'))).toHaveLength(5)
  })

  test('an object that changes or disappears while it is planned is not settled', async () => {
    const plan = async ({ kind, metadata: { namespace, name } }: KubernetesObject) => {
      if (namespace === 'shoot--p--a' && kind === 'DNSRecord')
        put(
          settledObject(
            'DNSRecord',
            { namespace, name },
            { status: { lastOperation: { ...succeeded, lastUpdateTime: '2026-11-21T12:09:00Z' } } },
          ),
        )
      if (namespace === 'shoot--p--a' && kind === 'Infrastructure')
        await kubernetes.delete(kinds.DNSRecord.resource, { namespace: 'shoot--p--b', name: 'api' })
      return 'a plan'
    }
    const lines = linesOf(await resultsOf({ plan, parallel: 1 }))
    expect(lines).toContain('shoot--p--a DNSRecord/api: a plan (it changed while it was planned)')
    expect(lines).toContain('shoot--p--b DNSRecord/api: gone')
  })

  test('it plans few shoots at a time, and waits until the reader takes a result', async () => {
    let running = 0
    let most = 0
    const started: string[] = []
    const plan = async ({ metadata: { namespace = '' } }: KubernetesObject) => {
      started.push(namespace)
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return 'a plan'
    }
    const results = (await survey({ plan, parallel: 2, kinds: ['Infrastructure'] })).results()
    await results.next()
    for (let n = 0; n < 10; n++) await new Promise(resolve => setImmediate(resolve))
    expect(new Set(started)).toEqual(new Set(['shoot--p--a', 'shoot--p--b']))
    for await (const _ of results);
    expect(started).toHaveLength(3)
    expect(most).toBe(2)
  })

  test('it reads a Cluster once per shoot, but not a refused one', async () => {
    const plan: SurveyOptions<string>['plan'] = async ({ metadata }, given) => {
      await given.kubernetes.get(clusterKind.resource, { name: metadata.namespace ?? '' })
      return ''
    }
    server.faults.add({
      matches: ({ path }) => path.includes('/clusters/shoot--p--a'),
      effect: { kind: 'answer', code: 403, reason: 'Forbidden' },
    })
    const results = await resultsOf({ plan, kinds: ['Infrastructure', 'DNSRecord'], parallel: 1 })
    const reads = server.requests.entries().filter(({ path }) => path.includes('/clusters/'))
    expect(reads).toHaveLength(4)
    expect(
      results.flatMap(({ objects }) => objects).filter(({ outcome }) => outcome.kind === 'failed'),
    ).toHaveLength(1)
  })

  test('it resumes after the place of an earlier one', async () => {
    const first = (await survey()).results()
    await first.next()
    const { value } = await first.next()
    await first.return()
    expect(value).toMatchObject({ place: 'shoot--p--a' })
    const rest = await survey({ after: value?.place ?? '' })
    expect(rest.total).toBe(4)
    const places: string[] = []
    for await (const { place } of rest.results()) places.push(place)
    expect(places).toEqual(['shoot--p--b', 'shoot--p--c'])
  })

  test('a plan that never ends fails alone, and an abort ends the survey with its reason', async () => {
    const stop = new AbortController()
    const started = Promise.withResolvers<void>()
    const plan = async ({ kind }: KubernetesObject) => {
      if (kind !== 'Infrastructure') return 'fine'
      started.resolve()
      return new Promise<string>(() => {})
    }
    const one = { shoots: ['shoot--p--a'], plan, limitMs: 5_000 }
    const slow = resultsOf(one)
    await started.promise
    await clock.advance(5_000)
    expect(linesOf(await slow)).toEqual([
      'shoot--p--a Infrastructure/net: the plan did not end within 5 s; check that its cloud answers',
      'shoot--p--a DNSRecord/api: fine',
    ])
    const stopped = resultsOf({ ...one, signal: stop.signal })
    stop.abort(new Error('Ctrl-C'))
    await expect(stopped).rejects.toThrow('Ctrl-C')
  })
})
