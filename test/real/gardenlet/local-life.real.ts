import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { localLandscape, localSeeds, localShoot } from '../../../sandbox/providers/local/demo/whole-shoot.ts'
import { type ProvidedLocal, simulateLocal } from '../../../sandbox/providers/local/simulate.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Worker } from '../../../shared/contract/objects.ts'
import { describeWith } from '../with-part.ts'
import { type GardenletWorld, startGardenletWorld } from './world.ts'

const { first } = localSeeds
const namespace = localShoot.status.technicalID
const { name } = localShoot.metadata

const [, pool] = localShoot.spec.provider.workers
if (pool === undefined) throw new Error('the shoot has no second pool')
const poolOf = (name: string, image: string) => ({
  ...pool,
  name,
  machine: { ...pool.machine, image: { name: image, version: '1.0.0' } },
})

/** The shoot with a pool of each operating system. */
const shoot: GardenShoot = {
  ...localShoot,
  spec: {
    ...localShoot.spec,
    provider: {
      ...localShoot.spec.provider,
      workers: [...localShoot.spec.provider.workers, poolOf('c', 'ubuntu'), poolOf('d', 'suse-chost')],
    },
  },
}

/** All kinds of a shoot that Trellis serves, with functions of seven providers. */
const all = [
  ...['BackupEntry', 'ContainerRuntime', 'ControlPlane', ...Array(3).fill('DNSRecord')],
  ...[...Array(3).fill('Extension'), 'Infrastructure', 'Network'],
  ...[...Array(8).fill('OperatingSystemConfig'), 'Worker'],
]

describeWith('gardenlet', "a local shoot with every kind, by gardenlet's own code,", programs => {
  let world: GardenletWorld
  let local: ProvidedLocal
  let backups: string
  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'trellis-backups-'))
    local = simulateLocal({ clock: systemClock, scale: 0.01 })
    world = await startGardenletWorld({
      ...{ programs, landscape: localLandscape, seeds: [first], shoot, clouds: { local } },
      settings: { backupDirectory: backups },
    })
    await world.ask('backups', first)
  })
  afterAll(async () => {
    await world?.close()
    await rm(backups, { recursive: true, force: true })
  })

  const held = () =>
    local.cluster
      .snapshot()
      .map(object => `${object.kind} ${object.metadata.name}`)
      .toSorted()
  const machines = () => held().filter(object => object.startsWith('Pod machine-'))
  const addresses = () => local.nameServer.records().map(({ data }) => String(data))
  const ends = async (type: string) => {
    const status = await world.reconcile(first)
    expect(status?.lastOperation).toMatchObject({ type, state: 'Succeeded' })
    return status
  }
  // Only Workers of this provider report a condition.
  const isHealthy = () =>
    expect
      .poll(async () =>
        (await world.care(first)).map(({ type, status, reason }) => `${type} ${status} ${reason}`),
      )
      .toEqual(['EveryNodeReady True ExtensionsHealthy'])
  const isGone = async () => {
    expect(await world.status()).toBeUndefined()
    expect(
      Object.keys(await world.states(first)).filter(object => !object.startsWith('BackupEntry')),
    ).toEqual([])
    expect(local.nameServer.records()).toEqual([])
  }

  test('is created with an object of every kind', async () => {
    await ends('Create')
    const states = Object.entries(await world.states(first))
    expect(states.map(([object]) => object.split(' ')[0]).toSorted()).toEqual(all)
    expect(new Set(states.map(([, state]) => state))).toEqual(new Set(['Create Succeeded']))
    expect(machines()).toHaveLength(4)
    expect(addresses()).toEqual(Array(3).fill(first.address))
    await isHealthy()
  })

  test("has machines whose user data is gardenlet's start script in the form of their system", async () => {
    const { kubernetes } = world.clusterOf(first.name)
    const found = await kubernetes.get(kinds.Worker.resource, { name, namespace })
    const { pools } = (found as unknown as Worker).spec
    for (const { userDataSecretRef: ref } of pools) {
      const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
      const secret = await kubernetes.get(secrets, { name: ref?.name ?? '', namespace })
      const script = Buffer.from(String(Object(secret?.data)[ref?.key ?? '']), 'base64').toString()
      expect(script).toContain('#!/bin/bash')
      expect(script).toContain('/var/lib/osc/provision-osc-applied')
    }
    expect(pools.map(pool => pool.nodeAgentSecretName)).toEqual(
      ['a', 'b', 'c', 'd'].map(pool => expect.stringContaining(`gardener-node-agent-${pool}-`)),
    )
  })

  test('has a bastion until its user deletes it', async () => {
    const before = held()
    const key = { kind: 'Bastion', namespace: shoot.metadata.namespace, name: 'cli' }
    await world.put({
      apiVersion: 'operations.gardener.cloud/v1alpha1',
      kind: 'Bastion',
      metadata: { name: key.name, namespace: key.namespace, generation: 1 },
      spec: {
        shootRef: { name },
        seedName: first.name,
        providerType: 'local',
        sshPublicKey: 'ssh-ed25519 AAAA',
        ingress: [{ ipBlock: { cidr: '198.51.100.9/32' } }],
      },
    })
    expect(await world.ask('bastion', first, key)).toMatchObject({
      ingress: { ip: expect.stringMatching(/^172\.18\./) },
      conditions: [{ type: 'BastionReady', status: 'True' }],
    })
    expect(held()).not.toEqual(before)
    await world.driver.ask({ do: 'delete', ...key })
    await world.ask('bastion', first, key)
    await expect.poll(held).toEqual(before)
  })

  test('has a load balancer for an API server on its nodes until gardenadm deletes it', async () => {
    const before = held()
    const exposure = { name: 'api', namespace, type: 'local', nodes: { n1: '10.0.128.5' } }
    expect(await world.ask('expose', first, { exposure })).toEqual([
      expect.objectContaining({ ip: expect.stringMatching(/^172\.18\./) }),
    ])
    expect(held()).not.toEqual(before)
    await world.ask('unexpose', first, { exposure })
    await expect.poll(held).toEqual(before)
  })

  test('has a larger pool, and DNS records of a new address, after a change', async () => {
    const { spec } = (await world.get()) ?? {}
    const [firstPool, ...others] = spec?.provider.workers ?? []
    await world.change({
      spec: { provider: { workers: [{ ...firstPool, minimum: 2, maximum: 2 }, ...others] } },
    })
    await world.ask('readdress', first, { address: '172.18.255.11' })
    await ends('Reconcile')
    await expect.poll(machines).toHaveLength(5)
    expect(addresses()).toEqual(Array(3).fill('172.18.255.11'))
    await isHealthy()
  })

  test('has no machine and no DNS record while it is hibernated', async () => {
    await world.change({ spec: { hibernation: { enabled: true } } })
    expect((await ends('Reconcile'))?.hibernated).toBe(true)
    await expect.poll(machines).toEqual([])
    expect(addresses()).toEqual([])
  })

  test('has them again after it woke up', async () => {
    await world.change({ spec: { hibernation: { enabled: false } } })
    expect((await ends('Reconcile'))?.hibernated).toBe(false)
    expect(machines()).toHaveLength(5)
    expect(addresses()).toHaveLength(3)
    await isHealthy()
  })

  test('leaves nothing after its deletion', async () => {
    await world.delete()
    await world.reconcile(first)
    await isGone()
    await expect.poll(held).toEqual([])
  })

  test('leaves nothing after its forced deletion', async () => {
    await world.create()
    await ends('Create')
    await world.change({
      metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
      status: { lastErrors: [{ description: 'broken', codes: ['ERR_CONFIGURATION_PROBLEM'] }] },
    })
    await world.delete()
    await world.reconcile(first)
    await isGone()
    expect(await readdir(backups)).toEqual([first.backup.bucketName])
  })
})
