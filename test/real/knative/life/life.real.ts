import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deployments } from '../../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { describeWith } from '../../with-part.ts'
import { type KnativeSeed, startKnativeSeed } from './knative-seed.ts'
import { deletePod, kill, leadingBridge, podsOf, victims } from './pods.ts'
import { openBroker } from './send-event.ts'
import { differencesOf, startSteadyChanges } from './steady-changes.ts'
import { updateFunction } from './update-function.ts'

const name = 'aws-dnsrecord'

describeWith('knative', 'DNSRecords on real Knative, with OIDC', programs => {
  let seed: KnativeSeed
  beforeAll(async () => {
    seed = await startKnativeSeed(programs, { functions: [name] })
  })
  afterAll(() => seed?.close())
  afterEach(() => seed?.aws.faults.clear())

  const cloudTakes = (milliseconds: number) =>
    seed.aws.faults.add({
      service: 'route53',
      action: 'ChangeResourceRecordSets',
      times: null,
      effect: { kind: 'delay', milliseconds },
    })
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  /** Creates records with steps that last `stepMs`, and resolves when the first steps run. */
  const startSteps = async (records: readonly string[], stepMs: number) => {
    cloudTakes(stepMs)
    const done = Promise.all(records.map(record => seed.records.create(record, '192.0.2.1')))
    done.catch(() => {})
    await expect.poll(() => seed.records.states(records[0] ?? '')).toContain('Processing')
    return done
  }
  const writesOf = (records: readonly string[]) => records.map(record => seed.writes.of(record))

  test('an event reaches the Broker only with a token of the bridge', async () => {
    const broker = await openBroker(seed)
    try {
      expect(await broker.send()).toBe(401)
      expect(await broker.send('no token')).toBe(401)
      expect(await broker.send(await broker.tokenOf(name))).toBe(403)
      expect(await broker.send(await broker.tokenOf(broker.bridgeAccount))).toBe(202)
    } finally {
      await broker.close()
    }
  })

  test('a record is created, changed and deleted', async () => {
    await seed.records.create('life', '192.0.2.1')
    await seed.records.change('life', '192.0.2.2')
    await seed.records.remove('life')
    expect(seed.writes.of('life')).toEqual(['192.0.2.1', '192.0.2.2', '-'])
  })

  test('a function at zero starts for the next event', async () => {
    await seed.records.create('sleeper', '192.0.2.1')
    await expect.poll(() => podsOf(seed.kubernetes, name)).toEqual([])
    await seed.records.change('sleeper', '192.0.2.2')
    expect(await podsOf(seed.kubernetes, name)).toHaveLength(1)
    expect(seed.writes.of('sleeper')).toEqual(['192.0.2.1', '192.0.2.2'])
  })

  test('steps that run during a rolling update write once', async () => {
    const records = names('rolled', 20)
    const done = await startSteps(records, 5_000)
    await updateFunction(seed, name, { TRELLIS_LOG_LEVEL: 'debug' })
    await done
    expect(writesOf(records)).toEqual(records.map(() => ['192.0.2.1']))
  })

  test('queue-proxy lets the steps of a deleted pod finish', async () => {
    const records = names('drained', 20)
    const done = await startSteps(records, 5_000)
    for (const pod of await podsOf(seed.kubernetes, name)) await deletePod(seed.kubernetes, pod)
    await done
    expect(writesOf(records)).toEqual(records.map(() => ['192.0.2.1']))
  })

  test('no change is lost, and none is written after a newer one, while every program is killed', async () => {
    cloudTakes(300)
    const changes = await startSteadyChanges(seed, names('steady', 20))
    for (const victim of Object.values(victims)) {
      await kill(seed, victim)
      await sleep(2_000)
    }
    await kill(seed, await leadingBridge(seed.kubernetes))
    await sleep(5_000)
    await seed.server.restart()
    const requested = await changes.end()
    const differences = differencesOf(requested, seed.writes.of)
    expect(differences.filter(({ lost, late }) => lost.length + late.length > 0)).toEqual([])
  })

  // gardener-resource-manager takes the health of an installation from it.
  test('the bridge is unavailable while a function that has an object has no Trigger', async () => {
    await seed.records.create('unreachable', '192.0.2.1')
    const triggers = { group: 'eventing.knative.dev', version: 'v1', plural: 'triggers', namespaced: true }
    const key = { name, namespace: 'trellis' }
    const trigger = await seed.kubernetes.get(triggers, key)
    const available = async () => {
      const bridge = await seed.kubernetes.get(deployments, { ...key, name: 'bridge' })
      const conditions: readonly { readonly type: string; readonly status: string }[] = Object(
        bridge?.status,
      ).conditions
      return conditions.find(({ type }) => type === 'Available')?.status
    }
    expect(await available()).toBe('True')
    await seed.kubernetes.delete(triggers, key)
    await expect.poll(available).toBe('False')
    const { labels } = trigger?.metadata ?? {}
    await seed.kubernetes.create(triggers, { ...trigger, metadata: { ...key, labels } } as KubernetesObject)
    await expect.poll(available).toBe('True')
  })

  test('AWS was called only as it is built', () => {
    expect(seed.aws.notBuilt.all()).toEqual([])
  })
})
