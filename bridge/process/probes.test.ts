import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { KubernetesError, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import { sinkTroubles } from '../observers/sink-trouble.ts'
import { type FakeKubernetes, fakeKubernetes } from '../testing/fake-kubernetes.ts'
import { bridgeSettings } from './settings.ts'
import { type RunningBridge, startBridge } from './start.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { resource } = kinds.DNSRecord

let clock: VirtualClock
let kubernetes: FakeKubernetes
let running: RunningBridge | undefined
/** The sink's answers, by the name of the object. */
const statuses = new Map<string, number>()
const sink = createServer((request, response) => {
  const status = statuses.get(String(request.headers['ce-name'])) ?? 202
  request.resume().on('end', () => response.writeHead(status).end())
})

beforeEach(async () => {
  clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  kubernetes = fakeKubernetes()
  statuses.clear()
  sink.listen(0, '127.0.0.1')
  await once(sink, 'listening')
})

afterEach(async () => {
  let closed = running === undefined
  void running?.close().then(() => {
    closed = true
  })
  await expect.poll(() => clock.advance(1_000).then(() => closed)).toBe(true)
  running = undefined
  sink.close()
  sink.closeAllConnections()
})

const start = async (options: Partial<Parameters<typeof startBridge>[0]> = {}) => {
  running = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: {
        seed: 'test',
        sink: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`,
        address: '127.0.0.1',
        port: 0,
        kinds: 'DNSRecord',
      },
      env: {},
    }),
    kubernetes: kubernetes.port,
    clock,
    log: silent,
    ...options,
  })
  await clock.advance(0)
  return running
}

const get = async (path: string) => fetch(`http://127.0.0.1:${running?.port}${path}`)

/** The value of each series of the bridge, without buckets and without the label of the only kind. */
const series = async (): Promise<Record<string, number>> => {
  const text = await (await get('/metrics')).text()
  const lines = [...text.matchAll(/^trellis_bridge_(\S+) (\S+)$/gm)]
  return Object.fromEntries(
    lines
      .map(
        ([, name = '', value]) =>
          [name.replace(/kind="DNSRecord",?/, '').replace('{}', ''), Number(value)] as const,
      )
      .filter(([name]) => !name.includes('_bucket')),
  )
}

const until = (condition: (now: Record<string, number>) => boolean) =>
  expect
    .poll(async () => {
      await clock.advance(0)
      return condition(await series())
    })
    .toBe(true)

const record = (name: string, namespace = 'garden'): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: { name, namespace },
  spec: { type: 'test' },
})

test('every metric reports exactly what was done', async () => {
  const namespace = 'shoot--foo--bar'
  kubernetes.put(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'gardener.cloud/role': 'shoot' } },
    },
  )
  kubernetes.put(clusterKind.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { shoot: { status: { lastOperation: { state: 'Failed' } } } },
  })
  kubernetes.put(resource, record('held', namespace))
  await start()
  expect(await series()).toEqual({
    ...{ watched_objects: 1, queue_depth: 0, in_flight: 0, oldest_waiting_seconds: 0, held: 1, parked: 0 },
    ...{ open_requests: 0, unclaimed: 0, paused: 0 },
    ...{ ready: 1, leader: 1 },
    ...Object.fromEntries(sinkTroubles.map(name => [`sink_trouble{trouble="${name}"}`, 0])),
  })

  statuses.set('bad', 400).set('late', 503)
  kubernetes.put(resource, record('good'))
  kubernetes.put(resource, record('bad'))
  kubernetes.put(resource, record('late'))
  await until(now => now.parked === 1 && now.retried_total === 1 && now.accepted_total === 1)
  await clock.advance(100)
  expect(await series()).toMatchObject({
    watched_objects: 4,
    queue_depth: 1,
    oldest_waiting_seconds: 0.1,
    in_flight: 0,
    held: 1,
    parked: 1,
    'emitted_total{operation="reconcile",reason="created"}': 3,
    'refused_total{status="400"}': 1,
    send_seconds_count: 3,
    'answers_total{status="accepted"}': 1,
    'answers_total{status="400"}': 1,
    'answers_total{status="503"}': 1,
    lag_seconds_count: 1,
    lag_seconds_sum: 0,
  })

  statuses.clear()
  await clock.advance(250)
  await until(now => now.accepted_total === 2)
  expect(await series()).toMatchObject({
    'emitted_total{operation="reconcile",reason="created"}': 4,
    retried_total: 1,
    queue_depth: 0,
    oldest_waiting_seconds: 0,
  })

  // The late one was due for 125 to 350 ms.
  const { lag_seconds_sum: lag = 0 } = await series()
  expect(lag).toBeGreaterThanOrEqual(0.125)
  expect(lag).toBeLessThanOrEqual(0.35)

  kubernetes.breakWatches(new KubernetesError(410, 'Expired', 'too old resource version'))
  await clock.advance(0)
  expect(await series()).toMatchObject({
    'watch_restarts_total{resource="dnsrecords",reason="expired"}': 1,
    'watch_restarts_total{resource="clusters",reason="expired"}': 1,
    'relists_total{resource="namespaces",reason="expired"}': 1,
  })

  // The two are unclaimed, and the refused one is retried.
  await clock.advance(91_000)
  await until(now => now.accepted_total === 5)
  expect(await series()).toMatchObject({ repeated_total: 2, unclaimed: 2, parked: 0 })
  kubernetes.remove(resource, { name: 'bad', namespace: 'garden' })
  kubernetes.remove(resource, { name: 'held', namespace })
  await clock.advance(0)
  expect(await series()).toMatchObject({ watched_objects: 2, parked: 0, held: 0 })
})

test('are named on the page about monitoring, each of them', async () => {
  await start()
  const page = await readFile(new URL('../../docs/monitoring.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('| metric |'))
  const text = await (await get('/metrics')).text()
  const names = [...text.matchAll(/^# TYPE trellis_bridge_(\S+)/gm)].map(([, name = '']) => name)
  expect(names).toHaveLength(31)
  for (const name of names) expect(table).toContain(`_${name}\``)
})

test('the bridge is alive while the API server is away, and no longer when a watch neither ends nor continues', async () => {
  const { list } = kubernetes.port
  const gate = Promise.withResolvers<never>()
  let isAway = true
  kubernetes.port.list = (of, options) => {
    if (isAway) return Promise.reject(new KubernetesError(503, 'ServiceUnavailable', 'away'))
    return of.plural === 'dnsrecords' ? gate.promise : list(of, options)
  }
  await start()
  await clock.advance(600_000)
  expect((await get('/health/liveness')).status).toBe(200)
  expect((await get('/health/readiness')).status).toBe(503)
  isAway = false
  await clock.advance(600_000)
  expect((await get('/health/liveness')).status).toBe(503)
  expect(running?.bridge.stuck()).toEqual([
    expect.stringMatching(/^the watch of dnsrecords has been inactive for \d+ s$/),
  ])
  gate.reject(new Error('the test is over'))
})

test('the bridge is not ready while events do not reach a function that has an object, and logs why once', async () => {
  let why: string | undefined
  const lines: unknown[] = []
  const log = { ...silent, warn: (_: string, fields?: object) => void lines.push(fields) }
  await start({ log, deliveryPath: { brokenFor: () => 'another', brokenForObjects: () => why } })
  const ready = async () => (await get('/health/readiness')).status
  expect(await ready()).toBe(200)
  why = 'no Trigger'
  expect([await ready(), await ready()]).toEqual([503, 503])
  why = undefined
  expect(await ready()).toBe(200)
  expect(lines).toEqual([{ why: 'no Trigger' }])
})
