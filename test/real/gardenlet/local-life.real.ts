import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ProvidedLocal, simulateLocal } from '../../../sandbox/providers/local/simulate.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Worker } from '../../../shared/contract/objects.ts'
import { localLandscape, localSeeds, localShoot } from '../../shoot/local-shoot.ts'
import { describeWith } from '../with-part.ts'
import { type GardenletWorld, startGardenletWorld } from './world.ts'

const { first } = localSeeds
const namespace = localShoot.status.technicalID
const { name } = localShoot.metadata

/** All kinds that Trellis serves, with functions of five providers. */
const all = [
  ...['BackupEntry', 'ContainerRuntime', 'ControlPlane', 'DNSRecord', 'DNSRecord', 'DNSRecord'],
  ...['Extension', 'Extension', 'Extension', 'Infrastructure', 'Network'],
  ...['OperatingSystemConfig', 'OperatingSystemConfig', 'OperatingSystemConfig', 'OperatingSystemConfig'],
  'Worker',
]

describeWith('gardenlet', "a local shoot with every kind, by gardenlet's own code,", programs => {
  let world: GardenletWorld
  let local: ProvidedLocal
  let backups: string
  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'trellis-backups-'))
    local = simulateLocal({ clock: systemClock, scale: 0.01 })
    world = await startGardenletWorld({
      ...{ programs, landscape: localLandscape, seeds: [first], shoot: localShoot, clouds: { local } },
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

  test('is created with an object of every kind', async () => {
    const status = await world.reconcile(first)
    expect(status?.lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
    const states = Object.entries(await world.states(first))
    expect(states.map(([object]) => object.split(' ')[0]).toSorted()).toEqual(all)
    expect(new Set(states.map(([, state]) => state))).toEqual(new Set(['Create Succeeded']))
    expect(held().filter(object => object.startsWith('Pod machine-'))).toHaveLength(2)
    expect(local.nameServer.records().map(({ data }) => String(data))).toEqual(Array(3).fill(first.address))
  })

  test("has machines whose user data is gardenlet's start script in the form of their system", async () => {
    const { kubernetes } = world.clusterOf(first.name)
    const found = await kubernetes.get(kinds.Worker.resource, { name, namespace })
    const { pools } = (found as unknown as Worker).spec
    for (const { userDataSecretRef: ref } of pools) {
      const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
      const secret = await kubernetes.get(secrets, { name: ref?.name ?? '', namespace })
      const script = Buffer.from(String(Object(secret?.data)[ref?.key ?? '']), 'base64').toString()
      expect(script).toMatch(/^#!\/bin\/bash/)
    }
    expect(pools.map(pool => pool.nodeAgentSecretName)).toEqual([
      expect.stringContaining('gardener-node-agent-a-'),
      expect.stringContaining('gardener-node-agent-b-'),
    ])
  })

  test('leaves nothing after its forced deletion', async () => {
    await world.change({
      metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
      status: { lastErrors: [{ description: 'broken', codes: ['ERR_CONFIGURATION_PROBLEM'] }] },
    })
    await world.delete()
    await world.reconcile(first)
    expect(await world.status()).toBeUndefined()
    expect(
      Object.keys(await world.states(first)).filter(object => !object.startsWith('BackupEntry')),
    ).toEqual([])
    expect(await readdir(backups)).toEqual([first.backup.bucketName])
    expect(local.nameServer.records()).toEqual([])
  })
})
