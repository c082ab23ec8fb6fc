import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import type { BridgeEvent } from '../observers/bridge-event.ts'
import { knativeResources } from '../observers/knative-path/knative-path.ts'
import { fakeKubernetes } from '../testing/fake-kubernetes.ts'
import { bridgeSettings } from './settings.ts'
import { startBridge } from './start.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

test('it sends over HTTP, and serves its metrics and probes', async () => {
  const received: IncomingHttpHeaders[] = []
  const sink = createServer((request, response) => {
    received.push(request.headers)
    request.resume().on('end', () => response.writeHead(202).end())
  }).listen(0, '127.0.0.1')
  await once(sink, 'listening')
  const kubernetes = fakeKubernetes()
  kubernetes.put(kinds.DNSRecord.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name: 'x', namespace: 'garden' },
    spec: { type: 'aws-route53' },
  })
  const accepted = Promise.withResolvers<BridgeEvent>()
  const running = await startBridge({
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
    clock: systemClock,
    log: silent,
    observe: event => {
      if (event.type === 'accepted') accepted.resolve(event)
    },
  })
  try {
    expect(await accepted.promise).toMatchObject({ kind: 'DNSRecord', object: 'garden/x', reason: 'created' })
    expect(received).toMatchObject([
      { 'ce-type': 'cloud.gardener.extensions.dnsrecord.reconcile', 'ce-source': '/seeds/test' },
    ])
    const get = (path: string) => fetch(`http://127.0.0.1:${running.port}${path}`)
    expect((await get('/health/liveness')).status).toBe(200)
    expect((await get('/health/readiness')).status).toBe(200)
    const metrics = await (await get('/metrics')).text()
    expect(metrics).toContain('trellis_bridge_accepted_total{kind="DNSRecord"} 1')
    expect(metrics).toContain('trellis_bridge_watched_objects{kind="DNSRecord"} 1')
    expect(metrics).toContain('trellis_bridge_ready 1')
  } finally {
    await running.close()
    sink.close()
    sink.closeAllConnections()
  }
})

const settingsOf = (sink: string) =>
  parseSettings(bridgeSettings, {
    flags: { seed: 'test', sink, address: '127.0.0.1', port: 0, kinds: 'DNSRecord' },
    env: {},
  })

test('it writes an Event for a step if it leads, and none as a standby', async () => {
  const kubernetes = fakeKubernetes()
  const notices: string[] = []
  const start = async (name: string, leading: boolean) => {
    const ended = Promise.withResolvers<void>()
    const running = await startBridge({
      settings: settingsOf('http://127.0.0.1:9/'),
      kubernetes: {
        ...kubernetes.port,
        create: async (_, object) => {
          notices.push(`${name} ${(object as { readonly reason?: string }).reason}`)
          return object
        },
        patch: () => Promise.reject(new Error('nothing is changed')),
      },
      clock: virtualClock(0),
      log: silent,
      leadership: {
        leading: () => leading,
        run: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
      },
      observe: event => {
        if (event.type === 'ended') ended.resolve()
      },
    })
    return { running, ended: ended.promise }
  }
  const put = (step: object, state: string) =>
    kubernetes.put(kinds.DNSRecord.resource, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'DNSRecord',
      metadata: {
        name: 'x',
        namespace: 'garden',
        annotations: {
          [annotations.step]: formatStepAnnotation({ ...claim, ...step }),
        },
      },
      spec: { type: 'aws-route53' },
      status: { lastOperation: { type: 'Create', state, lastUpdateTime: '1970-01-01T00:00:00Z' } },
    })
  const claim = {
    phase: 'claimed',
    operation: 'reconcile',
    attempt: 0,
    until: '1970-01-01T00:01:15.000Z',
    durationMs: 75_000,
    event: 'e',
    request: '',
    generation: 1,
    was: '',
  } as const
  const standby = await start('standby', false)
  const leader = await start('leader', true)
  put({}, 'Processing')
  await expect
    .poll(() => [standby, leader].map(({ running }) => running.bridge.requests().get('DNSRecord')?.open))
    .toEqual([1, 1])
  put({ phase: 'waiting', attempt: 1 }, 'Error')
  await Promise.all([standby.ended, leader.ended])
  await expect.poll(() => notices).toEqual(['leader StepFailed'])
  await Promise.all([standby.running.close(), leader.running.close()])
})

test.each<[string, string, boolean]>([
  ['no types', 'trellis-acme', false],
  ['types, one of which has unanswered checks', 'acme/acme-dns+acme', false],
  ['types whose checks are answered', 'acme/acme-dns', true],
  ['a type that no function serves', 'acme/amce', false],
])('an extension with %s is alive in this sense if no condition is written', async (_, entry, isAlive) => {
  const clock = virtualClock(0)
  const kubernetes = fakeKubernetes()
  const written = '1970-01-01T00:00:00Z'
  kubernetes.put(kinds.ControlPlane.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'ControlPlane',
    metadata: { name: 'c', namespace: 'shoot--a--b' },
    spec: { type: 'acme' },
    status: {
      lastOperation: { type: 'Create', state: 'Succeeded', lastUpdateTime: written },
      conditions: [{ type: 'ControlPlaneHealthy', status: 'True', lastUpdateTime: written }],
    },
  })
  const renewals: number[] = []
  const running = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: {
        ...{ seed: 'test', sink: 'http://127.0.0.1:9/', address: '127.0.0.1', port: 0 },
        served: 'ControlPlane/acme,DNSRecord/acme-dns',
        extensions: `${entry}=extension-acme`,
      },
      env: {},
    }),
    kubernetes: {
      ...kubernetes.port,
      create: async (_, object) => object,
      patch: async (_, __, object) => {
        renewals.push(clock.now())
        return object as never
      },
    },
    clock,
    log: silent,
  })
  // A round of 20 minutes asks for an answer, which may take 150 s (docs/health.md#heartbeat).
  await clock.advance(1_350_000)
  renewals.splice(0)
  await clock.advance(120_000)
  expect(renewals.length > 0).toBe(isAlive)
  await running.close()
})

test('it is unready, and alive, if its sink has been unreachable for a minute', async () => {
  const sink = createServer().listen(0, '127.0.0.1')
  await once(sink, 'listening')
  const { port } = sink.address() as AddressInfo
  sink.close()
  await once(sink, 'close')
  const clock = virtualClock(0)
  const running = await startBridge({
    settings: settingsOf(`http://127.0.0.1:${port}/`),
    kubernetes: fakeKubernetes().port,
    clock,
    log: silent,
  })
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${running.port}${path}`)).status
  await expect.poll(() => get('/health/readiness')).toBe(200)
  // Each request gives the connection attempts time, which no clock controls.
  for (let second = 0; second < 300 && (await get('/health/readiness')) === 200; second++)
    await clock.advance(1_000)
  expect(await get('/health/readiness')).toBe(503)
  expect(clock.now()).toBeGreaterThanOrEqual(60_000)
  expect(await get('/health/liveness')).toBe(200)
  await running.close()
})

test('the error names the setting if its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const settings = parseSettings(bridgeSettings, {
    flags: { sink: 'http://127.0.0.1:9/', seed: 'test', port, address: '127.0.0.1' },
    env: {},
  })
  const kubernetes = fakeKubernetes().port
  await expect(startBridge({ settings, kubernetes, clock: systemClock, log: silent })).rejects.toThrow(
    /^--port .*EADDRINUSE.*:\d+$/,
  )
  other.close()
})

test.each<[string, string[], RegExp]>([
  ['wrong settings', ['--seed', 'a', '--kinds', 'DnsRecord'], /: .*--kinds="DnsRecord".*--sink.*$/],
  ['a flag that there is not', ['--sed', 'a'], /: .*--sed/],
  [
    'a kubeconfig that there is not',
    ['--seed', 'a', '--sink', 'http://127.0.0.1:9/', '--kubeconfig', '/nowhere'],
    /: cannot access a cluster, see --kubeconfig .*\/nowhere/,
  ],
  [
    'a kubeconfig that is none',
    ['--seed', 'a', '--sink', 'http://127.0.0.1:9/', '--kubeconfig', fileURLToPath(import.meta.url)],
    /: cannot access a cluster, see --kubeconfig .* at line \d+/,
  ],
  [
    'no cluster',
    ['--seed', 'a', '--sink', 'http://127.0.0.1:9/'],
    /: cannot access a cluster, see --kubeconfig .*found no kubeconfig: give one/,
  ],
  [
    'a token file that there is not',
    ['--seed', 'a', '--sink', 'http://127.0.0.1:9/', '--sink-token-file', '/nowhere'],
    /: --sink-token-file \(TRELLIS_SINK_TOKEN_FILE\): .*\/nowhere/,
  ],
])('it refuses %s in one line, with exit code 2', async (_, flags, message) => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, ...flags], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', chunk => {
    output += String(chunk)
  })
  const [code] = await once(child, 'close')
  expect(output.trim().split('\n')).toEqual([expect.stringMatching(message)])
  expect(code).toBe(2)
})

test('it does not renew the heartbeat while its Broker is not ready', async () => {
  const kubernetes = fakeKubernetes()
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const sink = 'http://127.0.0.1:9/trellis/default'
  const renewals: string[] = []
  const broker = (status: string) =>
    kubernetes.put(knativeResources.brokers, {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Broker',
      metadata: { name: 'default', namespace: 'trellis' },
      status: { address: { url: sink }, conditions: [{ type: 'Ready', status }] },
    })
  broker('True')
  const running = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: {
        ...{ seed: 'test', sink, address: '127.0.0.1', port: 0, kinds: 'DNSRecord' },
        extensions: 'provider-acme=extension-acme',
      },
      env: {},
    }),
    kubernetes: {
      ...kubernetes.port,
      create: async (_, object) => object,
      patch: async (_, { namespace = '', name }) => {
        renewals.push(`${namespace}/${name}`)
        return { apiVersion: 'v1', kind: 'Lease', metadata: { name } }
      },
    },
    clock,
    log: silent,
    namespace: 'trellis',
  })
  try {
    const inMinutes = async (minutes: number) => {
      renewals.length = 0
      await clock.advance(minutes * 60_000)
      return renewals.length
    }
    expect(await inMinutes(10)).toBeGreaterThanOrEqual(20)
    expect(renewals[0]).toBe('extension-acme/gardener-extension-heartbeat')
    broker('False')
    await inMinutes(2)
    expect(await inMinutes(10)).toBe(0)
    broker('True')
    expect(await inMinutes(10)).toBeGreaterThanOrEqual(19)
  } finally {
    const closed = running.close()
    await clock.advance(5_000)
    await closed
  }
})
