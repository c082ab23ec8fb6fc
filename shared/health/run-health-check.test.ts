import { expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../clock/clock.ts'
import { allCrds } from '../contract/crds/crd-of.ts'
import { refreshAfterMs } from '../contract/health.ts'
import { kinds } from '../contract/kinds.ts'
import { createKubernetes } from '../kubernetes/kubernetes.ts'
import type { ReachedShoot } from '../shoot/shoot.ts'
import {
  type HealthCheck,
  type HealthDefinition,
  runHealthCheck,
  successful,
  unsuccessful,
} from './health.ts'
import { type HealthSeedOptions, newHealthSeed, whileTimePasses } from './testing/health-seed.ts'

const check = (run: HealthCheck['run'], name = 'one'): HealthCheck => ({ name, run })
const defined = (...runs: readonly HealthCheck['run'][]): HealthDefinition => ({
  conditions: [{ type: 'EveryNodeReady', checks: runs.map((run, at) => check(run, `check ${at}`)) }],
  removes: ['ControlPlaneHealthy'],
})
const newSeed = (definition: HealthDefinition, options: Partial<HealthSeedOptions> = {}) =>
  newHealthSeed({ kind: 'Worker', definition, permissions: [], ...options })

type Seed = Awaited<ReturnType<typeof newSeed>>

const fine = async () => successful
const bad = async () => unsuccessful('it is bad')
const times = { lastTransitionTime: '2026-11-21T11:00:00Z', lastUpdateTime: '2026-11-21T11:00:00Z' }
const foreign = { type: 'Foreign', status: 'False', reason: 'r', message: 'm', ...times }
const patches = (requests: readonly string[]) => requests.filter(request => request.startsWith('patch'))

test('conditions of others are unchanged, and nothing else in the status is written', async () => {
  const seed = await newSeed(defined(fine))
  const stale = { ...foreign, type: 'ControlPlaneHealthy' }
  const own = { ...foreign, type: 'EveryNodeReady' }
  await seed.patchStatus({ observedGeneration: 7, conditions: [stale, own, foreign] })
  await seed.check()
  expect((await seed.live()).status).toMatchObject({ observedGeneration: 7 })
  expect(await seed.conditions()).toEqual([
    {
      type: 'EveryNodeReady',
      status: 'True',
      reason: 'HealthCheckSuccessful',
      message: 'All health checks successful',
      lastTransitionTime: '2026-11-21T12:00:00Z',
      lastUpdateTime: '2026-11-21T12:00:00Z',
    },
    foreign,
  ])
})

test('an unchanged condition is not written until it is two minutes old', async () => {
  const seed = await newSeed(defined(fine))
  await seed.check()
  await seed.clock.advance(refreshAfterMs - 1_000)
  await seed.check()
  expect(patches(seed.requests)).toHaveLength(1)
  await seed.clock.advance(1_000)
  await seed.check()
  expect(patches(seed.requests)).toHaveLength(2)
  const [condition] = await seed.conditions()
  expect(condition).toMatchObject({
    lastTransitionTime: '2026-11-21T12:00:00Z',
    lastUpdateTime: '2026-11-21T12:02:00Z',
  })
})

test('a check of a round writes only a difference', async () => {
  let result: Awaited<ReturnType<HealthCheck['run']>> = successful
  const seed = await newSeed(defined(async () => result))
  await seed.check('round')
  await seed.clock.advance(24 * 3_600_000)
  await seed.check('round')
  expect(patches(seed.requests)).toHaveLength(1)
  result = unsuccessful('it is bad')
  await seed.check('round')
  expect(patches(seed.requests)).toHaveLength(2)
  expect(await seed.conditions()).toMatchObject([{ status: 'False', lastUpdateTime: '2026-11-22T12:00:00Z' }])
})

test.each(['refresh', 'changed', 'unhealthy', 'start'])(
  'a check of an older bridge rewrites an old condition: %s',
  async reason => {
    const seed = await newSeed(defined(fine))
    await seed.check(reason)
    await seed.clock.advance(refreshAfterMs)
    await seed.check(reason)
    expect(patches(seed.requests)).toHaveLength(2)
  },
)

test('a condition from the future is written again, because a clock was set back', async () => {
  const seed = await newSeed(defined(fine))
  await seed.check()
  const [condition] = await seed.conditions()
  await seed.patchStatus({ conditions: [{ ...condition, lastUpdateTime: '2026-11-21T13:00:00Z' }] })
  await seed.check()
  expect(await seed.conditions()).toEqual([condition])
})

test('an object of another type is not checked', async () => {
  const seed = await newSeed(defined(bad), { type: 'other' })
  expect(await seed.check()).toEqual({ kind: 'recorded', how: 'not-ours' })
  expect(await seed.conditions()).toEqual([])
})

test('an object that moves to another seed is not checked', async () => {
  const seed = await newSeed(defined(bad))
  await seed.patch({ metadata: { annotations: { 'gardener.cloud/operation': 'migrate' } } })
  expect(await seed.check()).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
  expect(await seed.conditions()).toEqual([])
})

test('an object that has moved to another seed or is in deletion is not checked', async () => {
  const seed = await newSeed(defined(bad))
  await seed.patchStatus({
    lastOperation: {
      type: 'Migrate',
      state: 'Succeeded',
      lastUpdateTime: '2026-11-21T12:00:00Z',
      description: '',
      progress: 100,
    },
  })
  expect(await seed.check()).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
  await seed.patchStatus({ lastOperation: null })
  await seed.patch({ metadata: { finalizers: ['test/kept'] } })
  await seed.kubernetes.delete(seed.resource, seed.key)
  expect(await seed.check()).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
})

test('without a Cluster nothing is written, and the event is retried', async () => {
  const seed = await newSeed(defined(fine), { shoot: null })
  expect(await seed.check()).toEqual({
    kind: 'unrecorded',
    reason: 'the namespace shoot--hc--d of the shoot has no Cluster',
  })
  expect(await seed.conditions()).toEqual([])
})

test.each(['seed', 'garden'] as const)('an object of a %s needs no Cluster', async extensionClass => {
  const seed = await newSeed(defined(fine), { kind: 'Extension', extensionClass, shoot: null })
  expect(await seed.checked()).toMatchObject([{ type: 'EveryNodeReady', status: 'True' }])
})

test('an object without a namespace is checked', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const server = createApiServer({ clock, objects: allCrds() })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const { resource } = kinds.BackupEntry
  await kubernetes.create(resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'BackupEntry',
    metadata: { name: 'entry' },
    spec: { type: 'aws', region: 'a', bucketName: 'b', secretRef: { name: 'c', namespace: 'd' } },
  })
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const backend = { kind: 'BackupEntry', types: ['aws'] } as const
  await runHealthCheck(
    { kubernetes, clock, log: silent, backend, definition: defined(bad) },
    { name: 'entry' },
    new AbortController().signal,
  )
  const { status } = Object(await kubernetes.get(resource, { name: 'entry' }))
  expect(status).toMatchObject({ conditions: [{ type: 'EveryNodeReady', status: 'False' }] })
})

test('no check runs for a sleeping shoot, which gets no request', async () => {
  const seed = await newSeed(
    defined(async () => {
      throw new Error('it runs')
    }),
    { shoot: { spec: { hibernation: { enabled: true } } } },
  )
  expect(await seed.checked()).toEqual([
    {
      type: 'EveryNodeReady',
      status: 'True',
      reason: 'HealthCheckSuccessful',
      message: 'Shoot is hibernated',
    },
  ])
})

test('a check that takes too long counts as not run, and the others count', async () => {
  const seed = await newSeed(defined(() => new Promise<never>(() => {}), bad))
  expect(await whileTimePasses(seed.clock, seed.checked())).toMatchObject([
    {
      status: 'Unknown',
      message:
        'failed to execute 1 health check: Unable to execute check: the check: no answer in 15 s. Failed check: it is bad.',
    },
  ])
})

test('a concurrent write is retained, and the result is merged with it', async () => {
  const seed = await newSeed(defined(bad))
  let interfered = false
  seed.interference.before = async call => {
    if (interfered || !call.startsWith('patch')) return
    interfered = true
    await seed.patchStatus({ conditions: [foreign], observedGeneration: 3 })
  }
  await seed.check()
  expect((await seed.live()).status).toMatchObject({ observedGeneration: 3 })
  expect(await seed.conditions()).toMatchObject([foreign, { type: 'EveryNodeReady', status: 'False' }])
})

test.each([
  {
    what: 'is recreated',
    change: async ({ kubernetes, resource, key, live }: Seed) => {
      const { metadata: _, status: __, ...object } = await live()
      await kubernetes.delete(resource, key)
      await kubernetes.create(resource, { ...object, metadata: key })
    },
  },
  {
    what: 'goes to another seed',
    change: ({ patch }: Seed) =>
      patch({ metadata: { annotations: { 'gardener.cloud/operation': 'migrate' } } }),
  },
])('an object that $what during a check gets no conditions', async ({ change }) => {
  const seed = await newSeed(defined(bad))
  seed.interference.before = async call => {
    if (!call.startsWith('patch')) return
    delete seed.interference.before
    await change(seed)
  }
  expect(await seed.check()).toMatchObject({ kind: 'recorded' })
  expect(await seed.conditions()).toEqual([])
})

test('a check leaves no timer behind', async () => {
  const seed = await newSeed(defined(fine))
  await seed.check()
  expect(seed.clock.pending()).toEqual([])
})

test('a check that a later one overtook does not restore its older result', async () => {
  let isBad = true
  let overtake: (() => Promise<unknown>) | undefined
  const seed = await newSeed(
    defined(async () => {
      const seen = isBad
      const run = overtake
      overtake = undefined
      await run?.()
      return seen ? unsuccessful('it was bad') : successful
    }),
  )
  await seed.check()
  await seed.clock.advance(1_000)
  // The first check has read a problem but not written it yet. A second check then sees no problem and finishes.
  overtake = async () => {
    isBad = false
    await seed.check()
  }
  await seed.check()
  expect(await seed.conditions()).toMatchObject([{ status: 'True' }])
})

test('two shoots that are checked at the same time get separate requests', async () => {
  const ports: string[] = []
  const shootOf =
    (name: string): (() => Promise<ReachedShoot>) =>
    async () =>
      ({
        kubernetes: { list: async () => ({ items: [], resourceVersion: name }) },
        close: () => ports.push(`${name} closed`),
      }) as unknown as ReachedShoot
  const definition = defined(async ({ shoot }) => {
    const { resourceVersion } = await (await shoot()).list({
      group: '',
      version: 'v1',
      plural: 'events',
      namespaced: true,
    })
    return unsuccessful(resourceVersion)
  })
  const [a, b] = await Promise.all(['a', 'b'].map(name => newSeed(definition, { openShoot: shootOf(name) })))
  const conditions = await Promise.all([a?.checked(), b?.checked()])
  expect(conditions.map(found => found?.[0]?.message)).toEqual(['a.', 'b.'])
  expect(ports.toSorted()).toEqual(['a closed', 'b closed'])
})
