import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShootState } from '../../sandbox/gardenlet/gardenlet.ts'
import { asleep, during } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { localSeeds, localShoot } from '../../sandbox/providers/local/demo/whole-shoot.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { type LocalWorld, type LocalWorldSeed, namespace, startLocalWorld } from './local-world.ts'

/**
 * Runs one shoot from its first record to its last, without a cloud: an object of every kind, with functions of five
 * providers.
 */
let world: LocalWorld
beforeAll(async () => {
  world = await startLocalWorld()
  await world.first.gardenlet.prepareSeed()
  await world.second.gardenlet.prepareSeed()
})
afterAll(() => world.close())

const entry = `${namespace}--${localShoot.metadata.uid}`
const infra = `infra-${namespace}`

const allOf = (outcome: string) => ({
  [`BackupEntry ${entry}`]: outcome,
  'ContainerRuntime gvisor-a': outcome,
  'ControlPlane moss': outcome,
  'DNSRecord moss-external': outcome,
  'DNSRecord moss-ingress': outcome,
  'DNSRecord moss-internal': outcome,
  'Extension local-ext-seed': outcome,
  'Extension local-ext-shoot': outcome,
  'Extension local-ext-shoot-after-worker': outcome,
  'Infrastructure moss': outcome,
  'Network moss': outcome,
  'OperatingSystemConfig gardener-node-agent-a-init': outcome,
  'OperatingSystemConfig gardener-node-agent-a-original': outcome,
  'OperatingSystemConfig gardener-node-agent-b-init': outcome,
  'OperatingSystemConfig gardener-node-agent-b-original': outcome,
  'Worker moss': outcome,
})
const network = [
  `IPPool shoot-machine-pods-${namespace}-ipv4`,
  `Namespace ${infra}`,
  'NetworkPolicy provider-local-allow-machine-pods',
  'NetworkPolicy provider-local-deny-all',
]
const recordsTo = (address: string) => [
  `*.ingress.moss.local.gardener.cloud ${address}`,
  `api.moss.internal.local.gardener.cloud ${address}`,
  `api.moss.local.gardener.cloud ${address}`,
]
const machinesOf = ({ nodes }: LocalWorldSeed) =>
  nodes()
    .filter(({ ready }) => ready === 'True')
    .map(({ providerId }) => providerId)
    .toSorted()
const withoutPods = () => world.held().filter(object => !object.startsWith('Pod '))

test('the shoot is created with all its parts', async () => {
  const { first } = world
  await first.gardenlet.reconcile(localShoot)
  expect(await first.states()).toEqual(allOf('Create Succeeded'))
  expect(withoutPods()).toEqual(network)
  expect(world.held().filter(object => object.startsWith('Pod machine-'))).toHaveLength(2)
  expect(machinesOf(first)).toHaveLength(2)
  expect(world.records()).toEqual(recordsTo(localSeeds.first.address))
  expect(await world.backups()).toEqual(
    [localSeeds.first, localSeeds.second].map(({ backup }) => backup.bucketName),
  )
})

test('the machines start with the user data of their configs, in the form of their operating system', async () => {
  const scripts = await world.first.userData()
  expect(Object.keys(scripts)).toEqual(['a', 'b'])
  for (const script of Object.values(scripts))
    expect(script).toContain('/var/lib/gardener-node-agent/init.sh')
  expect(scripts.a).not.toContain('containerd config default')
  expect(scripts.b).toContain('containerd config default')
})

test('a bastion and an exposure are created and deleted, and nothing else of the shoot changes', async () => {
  const { gardenlet } = world.first
  const before = world.held()
  const bastion = await gardenlet.openBastion(localShoot, { name: 'cli', cidr: '198.51.100.9/32' })
  expect(bastion.status?.ingress?.ip).toMatch(/^172\.18\./)
  const exposure = await gardenlet.expose(localShoot, { name: 'api', nodes: { n1: '10.0.128.5' } })
  expect(exposure.status?.ingress?.[0]?.ip).toMatch(/^172\.18\./)
  expect(world.held()).not.toEqual(before)
  await gardenlet.unexpose(localShoot, 'api')
  await gardenlet.closeBastion(localShoot, 'cli')
  await eventually(async () => world.held()).toEqual(before)
})

test('a reconcile without changes writes neither to the provider cluster and name server nor to the seed', async () => {
  const { first } = world
  world.cloudWrites()
  first.writes()
  await first.gardenlet.reconcile(localShoot)
  expect(world.cloudWrites()).toEqual([])
  const own = [
    'backupentries',
    'containerruntimes',
    'controlplanes',
    'dnsrecords',
    'extensions',
    'infrastructures',
    'networks',
    'operatingsystemconfigs',
    'workers',
  ]
  expect([...new Set(first.writes())].toSorted()).toEqual(
    own.flatMap(plural => [`patch ${plural}`, `patch ${plural}/status`]),
  )
})

test('the hibernated shoot has no machine, and retains its network', async () => {
  await world.first.gardenlet.reconcile(asleep(localShoot))
  expect(machinesOf(world.first)).toEqual([])
  await eventually(async () => world.held()).toEqual(network)
})

test('the awake shoot has machines and controllers', async () => {
  const { first } = world
  await first.gardenlet.reconcile(localShoot)
  expect(machinesOf(first)).toHaveLength(2)
  expect(withoutPods()).toEqual(network)
})

let moving: ShootState
let kept: {
  readonly held: readonly string[]
  readonly machines: readonly string[]
  readonly inShoot: readonly string[]
}
test('the migrated shoot is removed from its seed, and everything elsewhere remains unchanged', async () => {
  const { first } = world
  kept = { held: world.held(), machines: machinesOf(first), inShoot: await first.shootObjects() }
  expect(kept.inShoot).toContain('DaemonSet kube-system/calico-node')
  world.cloudWrites()
  moving = await first.gardenlet.migrate(during(localShoot, 'Migrate'))
  expect(world.cloudWrites().filter(write => !write.startsWith('UPDATE '))).toEqual([])
  expect(world.held()).toEqual(kept.held)
  // A migration deletes only records of provider-local (docs/contract/provider-local.md#records).
  expect(world.records()).toEqual([])
  expect(await first.states()).toEqual({})
  expect(await first.shootObjects()).toEqual(kept.inShoot)
  await first.gardenlet.forget(localShoot)
})

test('the restored shoot has the same network and machines in the second seed, and its names lead there', async () => {
  const { second } = world
  await second.gardenlet.restore(during(localShoot, 'Restore'), moving)
  expect(await second.states()).toEqual(allOf('Restore Succeeded'))
  expect(world.held()).toEqual(kept.held)
  expect(machinesOf(second)).toEqual(kept.machines)
  expect(await second.shootObjects()).toEqual(kept.inShoot)
  expect(world.records()).toEqual(recordsTo(localSeeds.second.address))
})

test('a reconcile in the second seed also writes nothing', async () => {
  world.cloudWrites()
  await world.second.gardenlet.reconcile(localShoot)
  expect(world.cloudWrites()).toEqual([])
  expect(machinesOf(world.second)).toEqual(kept.machines)
})

test('the deleted shoot leaves nothing: in no seed, shoot, provider cluster, zone or volume', async () => {
  const { first, second } = world
  await second.gardenlet.delete(during(localShoot, 'Delete'))
  for (const { gardenlet } of [first, second]) await gardenlet.removeSeed()
  await eventually(async () => world.held()).toEqual([])
  expect(world.records()).toEqual([])
  expect(await world.backups()).toEqual([])
  for (const seed of [first, second]) {
    expect(await seed.states()).toEqual({})
    expect(await seed.left()).toEqual([])
    for (const { resource } of [managedResourceKind, ...Object.values(machineKinds)])
      expect(await seed.all(resource, {})).toEqual([])
    expect(seed.bridge.waiting()).toEqual([])
  }
})

/** Polls results that no operation waits for: pods that still terminate. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read)
