import { expect, test, vi } from 'vitest'
import { definition as infrastructure } from '../../functions/aws/infrastructure/function.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { configMaps } from '../../shared/kubernetes/core-resources.ts'
import { type Actuator, continueAfter, done } from '../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import { createAws } from '../providers/aws/simulator/aws.ts'
import { createSteppedSeed, type SteppedSeedOptions } from './create-stepped-seed.ts'
import { readExample } from './read-example.ts'
import { shootObjects } from './shoot-objects.ts'

const namespace = 'shoot--garden--rose'
const networkOf = (name: string) => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Network',
  metadata: { name, namespace },
  spec: { type: 'acme', podCIDR: '10.3.0.0/16', serviceCIDR: '10.4.0.0/16' },
})
const succeeded = { status: { lastOperation: { state: 'Succeeded' } } }

const seedOf = (actuator: Partial<Actuator>, options: Partial<SteppedSeedOptions> = {}) =>
  createSteppedSeed({
    definition: defineFunction({
      name: 'acme-network',
      kind: 'Network',
      type: 'acme',
      permissions: [{ resource: configMaps, verbs: ['create'], why: 'They are the network.' }],
      create: () => ({ reconcile: async () => done(), remove: async () => done(), ...actuator }),
    }),
    objects: shootObjects({ namespace }),
    ...options,
  })

test('a step that waits on the clock fails and names the wait', async () => {
  const waiting = seedOf({
    reconcile: async ({ clock, signal }) => {
      await clock.sleep(5_000, signal)
      return done()
    },
  })
  await expect(waiting.apply(networkOf('rose'))).rejects.toThrow(
    /^acme-network waits 5 s inside a step \(create-stepped-seed\.test\.ts:\d+\), but the clock advances only between steps\. Return continueAfter from the step, or create the seed with waits: 'advance'\.$/,
  )
})

test('a step that waits on the clock ends if the seed may advance it', async () => {
  const ended: string[] = []
  const seed = seedOf(
    {
      reconcile: async ({ clock, signal }) => {
        const wait = (name: string, ms: number) => clock.sleep(ms, signal).then(() => ended.push(name))
        await Promise.all([wait('long', 5_000), wait('short', 1_000)])
        await wait('last', 1)
        return done()
      },
    },
    { waits: 'advance' },
  )
  const before = seed.clock.now()
  expect(await seed.apply(networkOf('rose'))).toMatchObject(succeeded)
  expect(ended).toEqual(['short', 'long', 'last'])
  expect(seed.clock.now() - before).toBeGreaterThanOrEqual(5_001)
})

test('an aborted wait does not advance the clock', async () => {
  const seed = seedOf(
    {
      reconcile: async ({ clock }) => {
        const abort = new AbortController()
        const wait = clock.sleep(60_000, abort.signal).catch(() => {})
        abort.abort()
        await wait
        return done()
      },
    },
    { waits: 'advance' },
  )
  const before = seed.clock.now()
  await seed.apply(networkOf('rose'))
  expect(seed.clock.now() - before).toBeLessThan(60_000)
})

test('a step that waits for something else fails in the end', async () => {
  const begun = Promise.withResolvers<void>()
  const seed = seedOf({
    reconcile: ({ clock }) => {
      begun.resolve()
      return new Promise(resolve => clock.after(1_500, () => resolve(done())))
    },
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const refused = expect(seed.apply(networkOf('rose'))).rejects.toThrow(
      'acme-network: a step has not ended after 30 s of real time. The next timer of the clock is due in 1.5 s.',
    )
    await begun.promise
    await vi.advanceTimersByTimeAsync(30_000)
    await refused
  } finally {
    vi.useRealTimers()
  }
})

test('aws-infrastructure, which waits for AWS inside a step, reconciles and deletes', async () => {
  const { object, beside } = await readExample(
    new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url),
  )
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const { requestHandler, calls } = createAws({ clock })
  const options = { definition: infrastructure, objects: beside, clock, connection: { requestHandler } }
  await expect(createSteppedSeed(options).apply(object)).rejects.toThrow(
    /^aws-infrastructure waits [\d.]+ s inside a step \(apply-context\.ts:\d+\)/,
  )
  const seed = createSteppedSeed({ ...options, waits: 'advance' })
  expect(await seed.apply(object)).toMatchObject(succeeded)
  expect(calls.all().filter(({ action }) => action === 'CreateVpc')).toHaveLength(1)
  expect(await seed.remove(object)).toBeUndefined()
})

test('a test can look at each step of several objects', async () => {
  const seed = seedOf({
    reconcile: async ({ resumed }) => (resumed ? done() : continueAfter(7_000, 50, 'Waiting for the router')),
  })
  const [rose, lily] = ['rose', 'lily'].map(name => seed.object({ name, namespace }))
  await rose?.create(networkOf('rose'))
  await lily?.create(networkOf('lily'))
  expect(await rose?.step()).toEqual({ kind: 'recorded', how: 'continues' })
  expect(await rose?.due()).toMatchObject({ kind: 'later', at: seed.clock.now() + 7_000 })
  expect(await lily?.due()).toMatchObject({ kind: 'emit', operation: 'reconcile' })
  expect(await rose?.run()).toEqual([])
  expect(await lily?.run()).toEqual(['Waiting for the router'])
  expect(await rose?.live()).toMatchObject(succeeded)
  expect(await rose?.step()).toBeUndefined()
  await rose?.delete()
  await rose?.run()
  expect(await rose?.live()).toBeUndefined()
  expect(await rose?.due()).toBeUndefined()
})

test('a run ends before a long pause, and on request', async () => {
  const seed = seedOf({ reconcile: async () => continueAfter(7_000, 50, 'Waiting') })
  const one = seed.object({ name: 'rose', namespace })
  await one.create(networkOf('rose'))
  expect(await one.run({ longestPauseMs: 6_999 })).toEqual(['Waiting'])
  let steps = 0
  expect(await one.run({ until: () => ++steps === 3 })).toEqual(['Waiting', 'Waiting', 'Waiting'])
  await expect(one.run({ mostSteps: 4 })).rejects.toThrow('Network rose: work is still due after 4 steps')
})

test('hooks see each request and can end it without a response', async () => {
  const seed = seedOf({
    reconcile: async ({ kubernetes }) => {
      await kubernetes.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'made', namespace },
      })
      return done()
    },
  })
  const seen: string[] = []
  seed.interfereWith({
    before: ({ verb, resource }) => void seen.push(`${verb} ${resource}`),
    after: ({ resource }) => {
      if (resource === 'configmaps') throw new Error('socket hang up')
    },
  })
  const { status } = await seed.apply(networkOf('rose'))
  expect(seen).toContain('create configmaps')
  expect(status).toMatchObject({ lastOperation: { state: 'Error' } })
  expect(await seed.kubernetes.get(configMaps, { name: 'made', namespace })).toBeDefined()
})

test('a crashed process is followed by a new one', async () => {
  let processes = 0
  const definition = defineFunction({
    name: 'acme-network',
    kind: 'Network',
    type: 'acme',
    create: () => {
      processes++
      return { reconcile: async () => done(), remove: async () => done() }
    },
  })
  const seed = createSteppedSeed({ definition, objects: shootObjects({ namespace }) })
  const one = seed.object({ name: 'rose', namespace })
  seed.dieAt(1, 'after')
  await one.create(networkOf('rose'))
  await one.step()
  expect(seed.hasDied()).toBe(true)
  await one.run()
  expect(seed.hasDied()).toBe(false)
  expect(await one.live()).toMatchObject(succeeded)
  expect(processes).toBe(2)
})

test('the Cluster and the Secrets of a shoot exist from the start, and missing namespaces too', async () => {
  const data: unknown[] = []
  const seed = seedOf(
    {
      reconcile: async ({ cluster, secret }) => {
        data.push(cluster?.spec.shoot, secret)
        return done()
      },
    },
    {
      objects: [
        ...shootObjects({ namespace, shoot: { spec: { region: 'r1' } } }),
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', namespace: 'garden' } },
      ],
    },
  )
  await seed.apply(networkOf('rose'))
  expect(data).toEqual([{ spec: { region: 'r1' } }, undefined])
  expect(await seed.kubernetes.get(configMaps, { name: 'one', namespace: 'garden' })).toBeDefined()
})

test.each([
  ['data', { data: { url: btoa('https://real'), user: btoa('rose') } }],
  ['stringData', { stringData: { url: 'https://real', user: 'rose' } }],
  [
    'both',
    { data: { url: btoa('https://former'), user: btoa('rose') }, stringData: { url: 'https://real' } },
  ],
])("the cloud's values replace those of the Secrets, in %s", async (_, fields) => {
  const read: unknown[] = []
  const secretRef = { name: 'dns', namespace }
  const actuator: Actuator = {
    reconcile: async ({ secret }) => {
      read.push(secret?.data)
      return done()
    },
    remove: async () => done(),
  }
  const seed = createSteppedSeed({
    definition: defineFunction({ name: 'acme-dns', kind: 'DNSRecord', type: 'acme', create: () => actuator }),
    objects: [
      ...shootObjects({ namespace }),
      { apiVersion: 'v1', kind: 'Secret', metadata: secretRef, ...fields },
    ],
    cloud: { things: () => [], secret: { url: 'http://127.0.0.1:1', absent: 'x' } },
  })
  const record = { ...networkOf('rose'), kind: 'DNSRecord' }
  const asked = { name: 'api.example.com', recordType: 'A', values: ['203.0.113.10'] }
  await seed.apply({ ...record, spec: { type: 'acme', secretRef, ...asked } })
  expect(read).toEqual([{ url: 'http://127.0.0.1:1', user: 'rose' }])
})
