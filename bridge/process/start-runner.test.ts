import { afterEach, beforeEach, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { type FakeStarter, fakeStarter } from '../../shared/runner/testing/fake-starter.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import { type FakeKubernetes, fakeKubernetes } from '../testing/fake-kubernetes.ts'
import { bridgeSettings } from './settings.ts'
import { type RunningBridge, startBridge } from './start.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const fn = { name: 'acme-dnsrecord', kind: 'DNSRecord', types: ['acme-dns'] }
const programs = JSON.stringify([{ name: 'acme', functions: [fn] }])

let clock: VirtualClock
let kubernetes: FakeKubernetes
let starter: FakeStarter
let running: RunningBridge
let notices: unknown[]

beforeEach(async () => {
  clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  kubernetes = fakeKubernetes()
  starter = fakeStarter()
  notices = []
})

afterEach(async () => {
  let closed = false
  void running.close().then(() => {
    closed = true
  })
  await expect.poll(() => clock.advance(1_000).then(() => closed)).toBe(true)
})

const start = async (flags: object = {}) => {
  running = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: { seed: 'test', programs, address: '127.0.0.1', port: 0, ...flags },
      env: {},
    }),
    kubernetes: {
      ...kubernetes.port,
      create: async (_, object) => {
        notices.push(object)
        return object as never
      },
      patch: async () => ({}) as never,
    },
    ...{ clock, log: silent, starter },
  })
  await clock.advance(0)
}

const put = (name: string, type = 'acme-dns') =>
  kubernetes.put(kinds.DNSRecord.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name, namespace: 'garden' },
    spec: { type },
  })
const get = async (path: string) => fetch(`http://127.0.0.1:${running.port}${path}`)

test('a bridge with programs watches their objects, and sends events to processes that it starts', async () => {
  await start()
  expect(starter.processes).toHaveLength(0)
  put('record')
  put('foreign', 'other-dns')
  await clock.advance(0)
  expect(starter.processes).toHaveLength(1)
  expect(starter.last().received).toHaveLength(1)
  expect(running.isAwake?.('acme')).toBe(true)
  const text = await (await get('/metrics')).text()
  expect(text).toContain('trellis_runner_starts_total{program="acme",outcome="awake"} 1')
  expect(text).toContain('trellis_runner_deliveries_total{function="acme-dnsrecord",outcome="done"} 1')
  expect(text).toContain('trellis_runner_awake{program="acme"} 1')
  expect((await get('/health/readiness')).status).toBe(200)
})

test('a bridge without the bundle of a program is not ready', async () => {
  starter.missingFile = 'missing'
  await start()
  expect((await get('/health/readiness')).status).toBe(503)
})

test('a program that does not start stops the heartbeat of its types, and the Event of an unclaimed object names the reason', async () => {
  starter.problem = 'the limit of processes is reached'
  await start({ unclaimedMs: 60_000 })
  put('record')
  await clock.advance(5_000)
  const why = 'acme does not start: the limit of processes is reached'
  expect(running.bridge.healthProblem(['acme-dns'])).toContain(why)
  expect((await get('/health/readiness')).status).toBe(503)
  await expect
    .poll(() => clock.advance(30_000).then(() => notices))
    .toContainEqual(expect.objectContaining({ reason: 'NotClaimed', message: expect.stringContaining(why) }))
  starter.problem = undefined
  await clock.advance(60_000)
  expect(starter.last().received).toHaveLength(1)
  expect((await get('/health/readiness')).status).toBe(200)
})

test.each([
  ['a sink', { sink: 'http://broker/' }],
  ['a token for a sink', { sinkTokenFile: '/token' }],
])('programs and %s exclude each other', (_, flags) => {
  const parse = () => parseSettings(bridgeSettings, { flags: { seed: 'a', programs, ...flags }, env: {} })
  expect(parse).toThrow('--programs (TRELLIS_PROGRAMS) replaces a sink')
})
