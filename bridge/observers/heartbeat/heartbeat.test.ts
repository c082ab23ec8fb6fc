import { afterEach, expect, test } from 'vitest'
import { createApiServer, type FaultEffect } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import { createKubernetes, type Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { leases } from '../../../shared/leadership/lease.ts'
import { formatExtension, parseExtensions } from '../../process/extension-settings.ts'
import { createHeartbeat, type HeartbeatOptions } from './heartbeat.ts'

const own = 'extension-provider-aws-x7k2p'
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A seed with the namespace of an extension, as gardenlet creates it, and one of another extension. */
const newSeed = async (options: Partial<HeartbeatOptions> = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.123Z'))
  const server = createApiServer({ clock })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const makeNamespace = (name: string, registration: string) =>
    kubernetes.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        labels: {
          'gardener.cloud/role': 'extension',
          'controllerregistration.core.gardener.cloud/name': registration,
        },
      },
    })
  await makeNamespace(own, 'provider-aws')
  await makeNamespace('extension-other', 'other')
  const requests: string[] = []
  const interference: { beforeCreate?: () => Promise<unknown> } = {}
  const noted: Pick<Kubernetes, 'list' | 'create' | 'patch'> = {
    list: kubernetes.list,
    create: async (of, object, ...rest) => {
      requests.push('create')
      await interference.beforeCreate?.()
      return kubernetes.create(of, object, ...rest)
    },
    patch: (of, ...rest) => {
      requests.push('patch')
      return kubernetes.patch(of, ...rest)
    },
  }
  const heartbeat = createHeartbeat({
    kubernetes: noted,
    clock,
    log: silent,
    extensions: [{ name: 'provider-aws' }],
    renewMs: 30_000,
    leading: () => true,
    problemOf: () => undefined,
    ...options,
  })
  const stop = new AbortController()
  const running = heartbeat.run(stop.signal)
  ends.push(async () => {
    stop.abort()
    await running
    server.close()
  })
  // Requests to an in-memory API server take a few microtask rounds.
  const converge = async (ms = 0) => {
    for (let round = 0; round < 20; round++) await clock.advance(0)
    if (ms > 0) await clock.advance(ms)
    for (let round = 0; round < 20; round++) await clock.advance(0)
  }
  await converge()
  const leaseIn = (namespace: string) =>
    kubernetes.get(leases, { namespace, name: 'gardener-extension-heartbeat' })
  return { clock, server, kubernetes, heartbeat, requests, interference, converge, leaseIn }
}

test('the Lease is created in the namespace of the extension, as the Go extension creates it', async () => {
  const { leaseIn } = await newSeed()
  expect((await leaseIn(own))?.spec).toEqual({
    holderIdentity: 'provider-aws',
    leaseDurationSeconds: 30,
    renewTime: '2026-11-21T12:00:00.123000Z',
  })
  expect(await leaseIn('extension-other')).toBeUndefined()
})

test('a renewal is one patch (H8)', async () => {
  const { requests, converge, leaseIn } = await newSeed()
  expect(requests).toEqual(['patch', 'create'])
  requests.length = 0
  await converge(30_000)
  expect(requests).toEqual(['patch'])
  expect(await leaseIn(own)).toMatchObject({ spec: { renewTime: '2026-11-21T12:00:30.123000Z' } })
})

test('a deleted Lease is recreated', async () => {
  const { kubernetes, converge, leaseIn } = await newSeed()
  await kubernetes.delete(leases, { namespace: own, name: 'gardener-extension-heartbeat' })
  await converge(30_000)
  expect(await leaseIn(own)).toMatchObject({ spec: { holderIdentity: 'provider-aws' } })
})

test('an existing Lease of another holder is taken over, and its other fields are retained', async () => {
  const { kubernetes, converge, leaseIn } = await newSeed()
  await kubernetes.patch(
    leases,
    { namespace: own, name: 'gardener-extension-heartbeat' },
    { metadata: { labels: { a: 'b' } }, spec: { holderIdentity: 'somebody' } },
  )
  await converge(30_000)
  expect(await leaseIn(own)).toMatchObject({
    metadata: { labels: { a: 'b' } },
    spec: { holderIdentity: 'provider-aws' },
  })
})

test.each<FaultEffect>([
  { kind: 'answer', code: 500 },
  { kind: 'disconnect', acted: true },
  { kind: 'disconnect', acted: false },
  { kind: 'hang' },
])(
  'while the API server is away the heartbeat retries, and continues when the server is back: %o',
  async effect => {
    const { server, converge, leaseIn } = await newSeed()
    server.faults.add({ effect, times: 1_000 })
    await converge(120_000)
    server.faults.clear()
    await converge(46_000)
    expect(await leaseIn(own)).not.toMatchObject({ spec: { renewTime: '2026-11-21T12:00:00.123000Z' } })
  },
)

test('a bridge that does not lead renews nothing, and a new leader renews at once', async () => {
  let isLeading = false
  const { heartbeat, converge, leaseIn } = await newSeed({ leading: () => isLeading })
  await converge(60_000)
  expect(await leaseIn(own)).toBeUndefined()
  isLeading = true
  heartbeat.event({ type: 'leadership', leading: true })
  await converge()
  expect(await leaseIn(own)).toBeDefined()
})

test('the Lease of an extension with a problem is not renewed, and each reason is logged once', async () => {
  let problem: string | undefined
  const lines: unknown[] = []
  const line = (message: string, { why }: { why?: unknown } = {}) => lines.push([message, why])
  const log = { ...silent, info: line, error: line }
  const { converge, leaseIn } = await newSeed({ problemOf: () => problem, log })
  problem = 'no answer'
  await converge(90_000)
  expect(await leaseIn(own)).toMatchObject({ spec: { renewTime: '2026-11-21T12:00:00.123000Z' } })
  problem = 'the Broker is not ready'
  await converge(90_000)
  problem = undefined
  await converge(60_000)
  expect(await leaseIn(own)).not.toMatchObject({ spec: { renewTime: '2026-11-21T12:00:00.123000Z' } })
  expect(lines).toEqual([
    ['heartbeat stopped', 'no answer'],
    ['heartbeat stopped', 'the Broker is not ready'],
    ['heartbeat resumed', undefined],
  ])
})

test('an extension without a namespace does not block the heartbeat of another', async () => {
  const extensions = parseExtensions(['missing=not-there', 'provider-aws'])
  const { converge, leaseIn } = await newSeed({ extensions })
  await converge(30_000)
  expect(await leaseIn(own)).toBeDefined()
})

test('an extension has a name, and may have types and a namespace', () => {
  const texts = ['trellis', 'provider-aws/aws+aws-route53', 'provider-b=ns', 'provider-c/c=ns']
  const extensions = parseExtensions(texts)
  expect(extensions).toEqual([
    { name: 'trellis' },
    { name: 'provider-aws', types: ['aws', 'aws-route53'] },
    { name: 'provider-b', namespace: 'ns' },
    { name: 'provider-c', types: ['c'], namespace: 'ns' },
  ])
  expect(extensions.map(formatExtension)).toEqual(texts)
})

test.each(['Provider', 'a=', '=b', 'a=b=c', 'a b', 'a/', 'a/b+', 'a=b/c', 'a/b/c'])(
  '%s is not a valid extension',
  text => {
    expect(() => parseExtensions([text])).toThrow(`found ${text}`)
  },
)

test('a heartbeat is expected for an extension with a namespace', async () => {
  const expected: [string, boolean][] = []
  await newSeed({
    extensions: parseExtensions(['missing', 'provider-aws']),
    expected: (name, isExpected) => expected.push([name, isExpected]),
  })
  expect(expected.toSorted()).toEqual([
    ['missing', false],
    ['provider-aws', true],
  ])
})

test('a heartbeat is expected but not sent for an extension that never answered checks', async () => {
  const expected: [string, boolean][] = []
  const { leaseIn } = await newSeed({
    problemOf: () => 'no answer',
    expected: (name, isExpected) => expected.push([name, isExpected]),
  })
  expect(expected).toEqual([['provider-aws', true]])
  expect(await leaseIn(own)).toBeUndefined()
})

test('a heartbeat is expected while the namespaces of an extension cannot be listed', async () => {
  const expected = new Map<string, boolean>()
  const { server, converge } = await newSeed({
    extensions: parseExtensions(['missing']),
    expected: (name, isExpected) => expected.set(name, isExpected),
  })
  server.faults.add({ effect: { kind: 'answer', code: 500 }, times: 1_000 })
  await converge(60_000)
  expect(expected).toEqual(new Map([['missing', true]]))
})

test('a bridge that does not lead expects no heartbeat', async () => {
  const expected: boolean[] = []
  await newSeed({ leading: () => false, expected: (_, isExpected) => expected.push(isExpected) })
  expect(expected).toEqual([false])
})

test('an extension without a namespace is logged once', async () => {
  const warnings: string[] = []
  const log = { ...silent, warn: (message: string) => warnings.push(message) }
  const { converge } = await newSeed({ log, extensions: parseExtensions(['missing']) })
  await converge(90_000)
  expect(warnings).toEqual(['heartbeat has no namespace'])
})

test('a Lease that another client creates at the same time is renewed', async () => {
  const seed = await newSeed()
  await seed.kubernetes.delete(leases, { namespace: own, name: 'gardener-extension-heartbeat' })
  seed.interference.beforeCreate = () =>
    seed.kubernetes.create(leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'gardener-extension-heartbeat', namespace: own },
      spec: { holderIdentity: 'another' },
    })
  seed.requests.splice(0)
  await seed.converge(30_000)
  expect(seed.requests).toEqual(['patch', 'create', 'patch'])
  expect(Object((await seed.leaseIn(own))?.spec).holderIdentity).toBe('provider-aws')
})

test('a failed renewal is retried after a second', async () => {
  const seed = await newSeed()
  await seed.kubernetes.delete(leases, { namespace: own, name: 'gardener-extension-heartbeat' })
  seed.interference.beforeCreate = () => Promise.reject(new Error('no'))
  await seed.converge(30_000)
  delete seed.interference.beforeCreate
  expect(await seed.leaseIn(own)).toBeUndefined()
  await seed.converge(1_000)
  expect(await seed.leaseIn(own)).toBeDefined()
})

test('a terminating namespace gets no Lease, because none can be created there', async () => {
  const seed = await newSeed()
  const metadata = { metadata: { finalizers: ['test/hold'] } }
  await seed.kubernetes.patch(namespaces, { name: own }, metadata)
  await seed.kubernetes.delete(namespaces, { name: own })
  expect((await seed.kubernetes.get(namespaces, { name: own }))?.metadata.deletionTimestamp).toBeDefined()
  seed.requests.splice(0)
  await seed.converge(30_000)
  expect(seed.requests).toEqual([])
})
