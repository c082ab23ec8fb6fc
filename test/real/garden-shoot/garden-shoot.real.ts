import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { functionSettings } from '../../../sandbox/providers/aws/demo/shoot-seeds.ts'
import { linesOf, wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { landscape } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import {
  type Aws,
  addHostedZone,
  createAws,
  simulatedAws,
} from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { cloudWrites } from '../../shoot/whole-shoot-world.ts'
import {
  cloudCredentials,
  gardenObjects,
  gardenShoot,
  projectNamespace,
  projectObjects,
  seedSpec,
} from '../garden/landscape.ts'
import { registrationOf } from '../garden/page-command.ts'
import { type Garden, startGarden } from '../garden/start-garden.ts'
import { type GardenSeed, startSeed } from '../garden/start-seed.ts'
import { untilPasses } from '../until-passes.ts'
import { describeWith } from '../with-part.ts'
import { figuresOf } from './figures.ts'
import { serveShoots } from './serve-shoots.ts'
import { type ShootBackend, type ShootEtcd, startShootBackend, startShootEtcd } from './shoot-backend.ts'
import { startScheduler } from './start-scheduler.ts'

const core = { apiVersion: 'core.gardener.cloud/v1beta1' }
const iris = 'shoot--lawn--iris'
const rose = 'shoot--lawn--rose'
/** Longer than any operation takes on a slow machine. */
const timeout = 900_000
const patience = { timeoutMs: timeout, intervalMs: 500 }

interface ShootStatus {
  readonly lastOperation?: { readonly type: string; readonly state: string; readonly description: string }
  readonly lastErrors?: readonly { readonly codes?: readonly string[] }[]
  readonly observedGeneration?: number
  readonly hibernated?: boolean
}

describeWith('garden-shoot', 'a Shoot in a real garden', programs => {
  let aws: Aws
  let awsPort: number
  let garden: Garden
  let backend: ShootBackend
  let etcds: Readonly<Record<string, ShootEtcd>>
  let seed: GardenSeed
  let before: readonly string[]
  const undo: (() => unknown)[] = []
  const ended = new AbortController()

  const account = async () => linesOf(await wholeAccount(aws))
  const machines = async () => (await account()).filter(line => line.startsWith('machine '))
  const resourceOf = (kind: string) => garden.resourceOf({ ...core, kind })
  const keyOf = (name: string) => ({ name, namespace: projectNamespace })
  const shootNow = async (name = 'iris') => garden.kubernetes.get(await resourceOf('Shoot'), keyOf(name))
  const statusOf = (shoot: KubernetesObject | undefined) => (shoot?.status ?? {}) as ShootStatus
  const change = async (patch: object, name = 'iris') =>
    garden.kubernetes.patch(await resourceOf('Shoot'), keyOf(name), patch)
  const annotate = (annotation: string, value: string, name?: string) =>
    change({ metadata: { annotations: { [annotation]: value } } }, name)
  const request = (operation: string) => annotate('gardener.cloud/operation', operation)

  /** Waits until gardenlet has done an operation for the current Shoot. Returns the status. */
  const done = (type: string): Promise<ShootStatus> =>
    untilPasses(async () => {
      const shoot = await shootNow()
      const status = statusOf(shoot)
      expect(status, JSON.stringify(status.lastErrors)).toMatchObject({
        observedGeneration: shoot?.metadata.generation,
        lastOperation: { type, state: 'Succeeded' },
      })
      return status
    }, patience)
  const deleteShoot = async (name = 'iris') => {
    await annotate('confirmation.gardener.cloud/deletion', 'true', name)
    await garden.kubernetes.delete(await resourceOf('Shoot'), keyOf(name))
  }
  const gone = (name: string) =>
    untilPasses(async () => {
      const shoot = await shootNow(name)
      expect(shoot, JSON.stringify(statusOf(shoot).lastErrors)).toBe(undefined)
    }, patience)

  const openSeed = async (name: string): Promise<GardenSeed> => {
    const opened = await startSeed(programs, garden, { name, spec: seedSpec(name), awsPort })
    undo.push(opened.close)
    await serveShoots(programs, opened, { backend, etcds, signal: ended.signal })
    await untilPasses(async () => {
      const object = await garden.kubernetes.get(await resourceOf('Seed'), { name })
      const { lastOperation, conditions = [] } = Object(object?.status)
      const output = opened.output().slice(-2_000)
      expect(lastOperation, output).toMatchObject({ type: 'Reconcile', state: 'Succeeded', progress: 100 })
      expect(conditions.filter(({ status }: { readonly status: string }) => status !== 'True')).toEqual([])
    }, patience)
    return opened
  }

  beforeAll(async () => {
    aws = createAws({ clock: systemClock })
    addHostedZone(aws.account(), furnishedZone)
    const listener = await aws.listen()
    undo.push(listener.close)
    awsPort = Number(new URL(listener.url).port)
    garden = await startGarden(programs)
    undo.push(garden.close)
    await garden.create(gardenObjects)
    const kubeconfig = await garden.server.kubeconfig()
    const values = join(garden.folder, 'values.yaml')
    // Functions wait as long as the simulated AWS takes.
    const functionEnv = { TRELLIS_WAIT_SCALE: String(functionSettings.waitScale) }
    await writeFile(values, stringify({ functionEnv }))
    const mode = ['--mode', 'seed-process']
    await registrationOf({ provider: 'aws', kubeconfig, more: [...mode, '--values', values] })
    for (const provider of ['calico', 'gardenlinux'])
      await registrationOf({ provider, kubeconfig, more: mode })
    await garden.create(projectObjects)
    const cloud = simulatedAws(aws).machines?.(0.01)
    if (cloud === undefined) throw new Error('the simulated AWS has no machines')
    etcds = { [iris]: await startShootEtcd(programs.etcd), [rose]: await startShootEtcd(programs.etcd) }
    for (const etcd of Object.values(etcds)) undo.push(etcd.close)
    backend = await startShootBackend({ cloud, namespace: iris })
    undo.push(backend.close)
    undo.push(() => ended.abort())
    undo.push((await startScheduler(programs, garden)).stop)
    seed = await openSeed('one')
    backend.follow(seed)
    before = await account()
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  test('is created by functions in seed processes', { timeout }, async () => {
    await garden.create([gardenShoot()])
    await done('Create')
    expect(await machines()).toHaveLength(2)
    console.info(await figuresOf(seed, iris, await shootNow()))
  })

  test('is reconciled without a write to AWS', { timeout }, async () => {
    cloudWrites(aws)
    await request('reconcile')
    await done('Reconcile')
    expect(cloudWrites(aws)).toEqual({})
  })

  test('has no machine while it is hibernated, and as many as before when it is awake', {
    timeout,
  }, async () => {
    // Gardener refuses it until gardenlet has checked the webhooks of the Shoot for a while.
    await untilPasses(() => change({ spec: { hibernation: { enabled: true } } }), patience)
    expect(await done('Reconcile')).toMatchObject({ hibernated: true })
    expect(await machines()).toEqual([])
    await change({ spec: { hibernation: { enabled: false } } })
    expect(await done('Reconcile')).toMatchObject({ hibernated: false })
    expect(await machines()).toHaveLength(2)
  })

  test('is deleted, and nothing of it is left', { timeout }, async () => {
    await deleteShoot()
    await gone('iris')
    expect(await seed.kubernetes.get(namespaces, { name: iris })).toBe(undefined)
    expect(await account()).toEqual(before)
  })

  test('is deleted by force when AWS refuses its credentials', { timeout }, async () => {
    const keys = { ...landscape.credentials, accessKeyID: 'AKIAREFUSED000000000' }
    aws.account().register({ accessKeyId: keys.accessKeyID, secretAccessKey: 'another' })
    await garden.create([...cloudCredentials('refused', keys), gardenShoot('rose', 'refused')])
    await untilPasses(async () => {
      const { lastErrors = [] } = statusOf(await shootNow('rose'))
      expect(lastErrors.flatMap(({ codes = [] }) => codes)).toContain('ERR_INFRA_UNAUTHENTICATED')
    }, patience)
    await deleteShoot('rose')
    // Gardener accepts it while the status has such an error.
    await untilPasses(() => annotate('confirmation.gardener.cloud/force-deletion', 'true', 'rose'), patience)
    await gone('rose')
    expect(await seed.kubernetes.get(namespaces, { name: rose })).toBe(undefined)
  })
})
