import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShootState } from '../../sandbox/gardenlet/gardenlet.ts'
import { added } from '../../sandbox/providers/aws/account-contents.ts'
import {
  authorities,
  isSignedBy,
  privateKeys,
  servedBy,
} from '../../sandbox/providers/aws/demo/shoot-keys.ts'
import { linesOf, wholeAccount } from '../../sandbox/providers/aws/demo/whole-account.ts'
import { asleep, during, rotating, seeds, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { putObject } from '../../sandbox/providers/aws/simulation/account-of-others.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { namespace, startWorld, type World, type WorldSeed } from './whole-shoot-world.ts'

/** Runs one shoot from its first record to its last, in an account with foreign resources. */
let world: World
let before: Awaited<ReturnType<typeof wholeAccount>>
beforeAll(async () => {
  world = await startWorld()
  before = await wholeAccount(world.aws)
  await world.first.gardenlet.prepareSeed()
  await world.second.gardenlet.prepareSeed()
})
afterAll(() => world.close())

const network =
  '1 VPC, 3 subnets, 1 internet gateway, 1 NAT gateway, 1 elastic address, 3 route tables, 2 security groups, 1 key pair, 1 role, 1 instance profile'
const entry = `${namespace}--${wholeShoot.metadata.uid}`
const webhookServer = 'aws-load-balancer-controller'
const server = 'cloud-controller-manager'
const initiation = '2026-03-01T10:00:00Z'
const rotation = (phase: 'Preparing' | 'Prepared' | 'Completing' | 'Completed') =>
  rotating(wholeShoot, { phase, lastInitiationTime: initiation })
const rotated = rotation('Completed')

const key = { name: wholeShoot.metadata.name, namespace }
const networkOf = async ({ kubernetes }: WorldSeed): Promise<unknown> => {
  const found = await kubernetes.get(kinds.Infrastructure.resource, key)
  return (found as unknown as Infrastructure).status?.providerStatus
}
const machinesOf = ({ nodes }: WorldSeed) =>
  nodes()
    .map(({ providerId }) => providerId)
    .toSorted()
const allOf = (outcome: string) => ({
  [`BackupEntry ${entry}`]: outcome,
  'ControlPlane iris': outcome,
  'DNSRecord iris-external': outcome,
  'DNSRecord iris-ingress': outcome,
  'DNSRecord iris-internal': outcome,
  'Infrastructure iris': outcome,
  'Network iris': outcome,
  'OperatingSystemConfig gardener-node-agent-all-init': outcome,
  'OperatingSystemConfig gardener-node-agent-all-original': outcome,
  'Worker iris': outcome,
})

test('the shoot is created with all its parts', async () => {
  const { first, aws } = world
  world.cloudWrites()
  await first.gardenlet.reconcile(wholeShoot)
  expect(await first.states()).toEqual(allOf('Create Succeeded'))
  expect(added(before, await wholeAccount(aws))).toBe(
    `${network}, 2 machines, 2 disks, 2 buckets, 3 DNS records`,
  )
  expect(world.cloudWrites()).toMatchObject({
    CreateVpc: 1,
    CreateNatGateway: 1,
    RunInstances: 2,
    ChangeResourceRecordSets: 3,
  })
  expect(first.nodes().map(({ ready }) => ready)).toEqual(['True', 'True'])
  expect(await first.replicas()).toEqual({
    'aws-custom-route-controller': 0,
    'aws-ipam-controller': 0,
    'aws-load-balancer-controller': 1,
    'cloud-controller-manager': 1,
    'csi-driver-controller': 1,
    'csi-snapshot-controller': 1,
    'kube-apiserver': 1,
    'machine-controller-manager': 1,
  })
})

test('a bastion is created and deleted, and nothing else of the shoot changes', async () => {
  const { first, aws } = world
  const account = linesOf(await wholeAccount(aws))
  const { status } = await first.gardenlet.openBastion(wholeShoot, { name: 'cli', cidr: '198.51.100.9/32' })
  expect(status?.ingress?.ip).toMatch(/^\d+\./)
  expect(linesOf(await wholeAccount(aws))).not.toEqual(account)
  await first.gardenlet.closeBastion(wholeShoot, 'cli')
  expect(linesOf(await wholeAccount(aws))).toEqual(account)
})

test('a reconcile without changes writes neither to AWS nor to the seed', async () => {
  const { first } = world
  world.cloudWrites()
  first.writes()
  await first.gardenlet.reconcile(wholeShoot)
  expect(world.cloudWrites()).toEqual({})
  const own = [
    'backupentries',
    'controlplanes',
    'dnsrecords',
    'infrastructures',
    'networks',
    'operatingsystemconfigs',
    'workers',
  ]
  expect([...new Set(first.writes())].toSorted()).toEqual(
    own.flatMap(plural => [`patch ${plural}`, `patch ${plural}/status`]),
  )
})

test('the hibernated shoot has no machine and no controller, and retains its network', async () => {
  const { first, aws } = world
  const status = await networkOf(first)
  world.cloudWrites()
  await first.gardenlet.reconcile(asleep(wholeShoot))
  expect(world.cloudWrites()).toEqual({ TerminateInstances: 2 })
  expect(first.nodes()).toEqual([])
  await eventually(async () => added(before, await wholeAccount(aws))).toBe(
    `${network}, 2 buckets, 3 DNS records`,
  )
  // The controllers stop once the API server is gone. gardenlet does not wait for it.
  await eventually(async () => new Set(Object.values(await first.replicas()))).toEqual(new Set([0]))
  expect(await networkOf(first)).toEqual(status)
})

test('the awake shoot has machines and controllers as before', async () => {
  const { first } = world
  await first.gardenlet.reconcile(wholeShoot)
  expect(world.cloudWrites()).toEqual({ RunInstances: 2, ModifyNetworkInterfaceAttribute: 2 })
  expect(first.nodes().map(({ ready }) => ready)).toEqual(['True', 'True'])
  expect(await first.replicas()).toMatchObject({
    'cloud-controller-manager': 1,
    'csi-driver-controller': 1,
  })
})

test('a prepared CA rotation trusts both CAs, still serves with the old one, and replaces nodes', async () => {
  const { first } = world
  const [old] = await authorities(first.kubernetes)
  const machines = machinesOf(first)
  await first.gardenlet.reconcile(rotation('Preparing'))
  const both = await authorities(first.kubernetes)
  const next = both.find(({ fingerprint256 }) => fingerprint256 !== old?.fingerprint256)
  expect(both).toHaveLength(2)
  expect(await first.trustedByShoot()).toEqual([next?.fingerprint256, old?.fingerprint256])
  expect(isSignedBy(await servedBy(first.kubernetes, server), old)).toBe(true)
  expect(isSignedBy(await servedBy(first.kubernetes, webhookServer), next)).toBe(true)
  expect(machinesOf(first)).toHaveLength(2)
  expect(machinesOf(first).filter(id => machines.includes(id))).toEqual([])

  first.writes()
  world.cloudWrites()
  await first.gardenlet.reconcile(rotation('Prepared'))
  expect(world.cloudWrites()).toEqual({})
  expect(first.writes().filter(write => / (?:secrets|managedresources)/.test(write))).toEqual([])
})

test('a completed CA rotation has only the new CA, which signs all serving certificates, and replaces no node', async () => {
  const { first } = world
  const [next] = await first.trustedByShoot()
  const machines = machinesOf(first)
  await first.gardenlet.reconcile(rotation('Completing'))
  await first.gardenlet.reconcile(rotated)
  const [only, ...others] = await authorities(first.kubernetes)
  expect(others).toEqual([])
  expect(only?.fingerprint256).toBe(next)
  expect(await first.trustedByShoot()).toEqual([only?.fingerprint256])
  for (const deployment of [server, webhookServer])
    expect(isSignedBy(await servedBy(first.kubernetes, deployment), only)).toBe(true)
  expect(machinesOf(first)).toEqual(machines)
})

let moving: ShootState
let kept: {
  network: unknown
  machines: readonly string[]
  authority: string | undefined
  inShoot: readonly string[]
}
test('the migrated shoot leaves no private key in its seed, and everything in AWS unchanged', async () => {
  const { first, aws } = world
  const account = linesOf(await wholeAccount(aws))
  const [authority] = await authorities(first.kubernetes)
  kept = {
    network: await networkOf(first),
    machines: machinesOf(first),
    authority: authority?.fingerprint256,
    inShoot: await first.shootObjects(),
  }
  expect(kept.inShoot.length).toBeGreaterThan(5)
  await putObject(aws, seeds.first.backup.bucketName, `${entry}/etcd-main/a`)
  world.cloudWrites()
  moving = await first.gardenlet.migrate(during(rotated, 'Migrate'))
  expect(world.cloudWrites()).toEqual({})
  expect(linesOf(await wholeAccount(aws))).toEqual(account)
  expect(await privateKeys(first.kubernetes)).toEqual([])
  expect(await first.states()).toEqual({})
  for (const { resource } of [managedResourceKind, ...Object.values(machineKinds)])
    expect(await first.all(resource)).toEqual([])
  expect(await first.shootObjects()).toEqual(kept.inShoot)
  await first.gardenlet.forget(rotated)
})

test('the restored shoot has the same network, machines and CA in the second seed, and its names lead there', async () => {
  const { second, aws } = world
  await second.gardenlet.restore(during(rotated, 'Restore'), moving)
  expect(world.cloudWrites()).toEqual({ ChangeResourceRecordSets: 3, DeleteObjects: 1 })
  expect(await second.states()).toEqual(allOf('Restore Succeeded'))
  expect(await networkOf(second)).toEqual(kept.network)
  expect(machinesOf(second)).toEqual(kept.machines)
  expect(await second.shootObjects()).toEqual(kept.inShoot)
  const [authority, ...others] = await authorities(second.kubernetes)
  expect(others).toEqual([])
  expect(authority?.fingerprint256).toBe(kept.authority)
  for (const deployment of [server, webhookServer])
    expect(isSignedBy(await servedBy(second.kubernetes, deployment), authority)).toBe(true)
  expect(world.first.bridge.waiting()).toEqual([])
  await putObject(aws, seeds.second.backup.bucketName, `${entry}/etcd-main/a`)
})

test('a reconcile in the second seed also writes nothing', async () => {
  const { second } = world
  world.cloudWrites()
  await second.gardenlet.reconcile(rotated)
  expect(world.cloudWrites()).toEqual({})
  expect(machinesOf(second)).toEqual(kept.machines)
})

test('the deleted shoot leaves nothing, and the account is as before, with its foreign resources', async () => {
  const { first, second, aws } = world
  await second.gardenlet.delete(during(rotated, 'Delete'))
  for (const { gardenlet } of [first, second]) await gardenlet.removeSeed()
  expect(linesOf(await wholeAccount(aws))).toEqual(linesOf(before))
  for (const seed of [first, second]) {
    expect(await seed.states()).toEqual({})
    expect(await privateKeys(seed.kubernetes)).toEqual([])
    for (const { resource } of [managedResourceKind, ...Object.values(machineKinds)])
      expect(await seed.all(resource, {})).toEqual([])
    expect(seed.bridge.waiting()).toEqual([])
  }
})

/**
 * Polls results that no operation waits for: machines that AWS still terminates, controllers that stop after the API
 * server.
 */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read)
