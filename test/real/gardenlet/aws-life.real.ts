import { afterAll, beforeAll, expect, test } from 'vitest'
import { added } from '../../../sandbox/providers/aws/account-contents.ts'
import { functionSettings } from '../../../sandbox/providers/aws/demo/shoot-seeds.ts'
import { linesOf, wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { landscape, seeds, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import {
  type Aws,
  addHostedZone,
  createAws,
  simulatedAws,
} from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { describeWith } from '../with-part.ts'
import { type GardenletWorld, startGardenletWorld } from './world.ts'

const network =
  '1 VPC, 3 subnets, 1 internet gateway, 1 NAT gateway, 1 elastic address, 3 route tables, 2 security groups, 1 key pair, 1 role, 1 instance profile'
const buckets = '2 buckets'
const records = '3 DNS records'
const { first, second } = seeds

describeWith('gardenlet', "a shoot on AWS, by gardenlet's own code,", programs => {
  let world: GardenletWorld
  let aws: Aws
  let before: Awaited<ReturnType<typeof wholeAccount>>
  beforeAll(async () => {
    aws = createAws({ clock: systemClock })
    addHostedZone(aws.account(), furnishedZone)
    before = await wholeAccount(aws)
    world = await startGardenletWorld({
      ...{ programs, landscape, seeds: [first, second], shoot: wholeShoot },
      clouds: { aws: simulatedAws(aws) },
      settings: functionSettings,
    })
    await world.ask('backups', first)
    await world.ask('backups', second)
  })
  afterAll(() => world?.close())

  const cloud = async () => added(before, await wholeAccount(aws))
  const machines = async () => linesOf(await wholeAccount(aws)).filter(line => line.startsWith('machine'))
  const untilCloudHas = (contents: string) => expect.poll(cloud).toBe(contents)
  const kindsIn = async (seed: typeof first) =>
    Object.entries(await world.states(seed)).map(([name, state]) => `${name.split(' ')[0]} ${state}`)
  const ends = async (seed: typeof first, type: string) => {
    const status = await world.reconcile(seed)
    expect(status?.lastOperation).toMatchObject({ type, state: 'Succeeded' })
    expect(status?.lastErrors).toBeUndefined()
    return status
  }
  const isHealthy = async (seed: typeof first) => {
    await expect
      .poll(async () => (await world.care(seed)).map(({ type, status, message }) => [type, status, message]))
      .toEqual([
        ['ControlPlaneHealthy', 'True', expect.any(String)],
        ['EveryNodeReady', 'True', expect.any(String)],
      ])
  }

  test('is created', async () => {
    const status = await ends(first, 'Create')
    expect(status?.networking?.nodes).toEqual(['10.250.0.0/16'])
    // gardenlet may reconcile the BackupEntry a second time, beside the flow.
    const kinds = (await kindsIn(first)).map(text =>
      text.replace('BackupEntry Reconcile', 'BackupEntry Create'),
    )
    expect(new Set(kinds)).toEqual(
      new Set(
        [
          ...['BackupEntry', 'ControlPlane', 'DNSRecord', 'Infrastructure', 'Network'],
          ...['OperatingSystemConfig', 'Worker'],
        ].map(kind => `${kind} Create Succeeded`),
      ),
    )
    expect(await cloud()).toBe(`${network}, 2 machines, 2 disks, ${buckets}, ${records}`)
    await isHealthy(first)
  })

  test('has a larger pool and a newer Kubernetes after a change', async () => {
    const [pool] = wholeShoot.spec.provider.workers
    const old = await machines()
    await world.change({
      spec: {
        kubernetes: { version: '1.34.1' },
        provider: { workers: [{ ...pool, minimum: 3, maximum: 3 }] },
      },
    })
    await ends(first, 'Reconcile')
    await untilCloudHas(`${network}, 3 machines, 3 disks, ${buckets}, ${records}`)
    // A new minor version replaces nodes.
    expect((await machines()).filter(one => old.includes(one))).toEqual([])
    await isHealthy(first)
  })

  test('has no machine and no DNS record while it is hibernated', async () => {
    await world.change({ spec: { hibernation: { enabled: true } } })
    const status = await ends(first, 'Reconcile')
    expect(status?.hibernated).toBe(true)
    await untilCloudHas(`${network}, ${buckets}`)
  })

  test('has them again after it woke up', async () => {
    await world.change({ spec: { hibernation: { enabled: false } } })
    const status = await ends(first, 'Reconcile')
    expect(status?.hibernated).toBe(false)
    await untilCloudHas(`${network}, 3 machines, 3 disks, ${buckets}, ${records}`)
    await isHealthy(first)
  })

  test('replaces its machines and its key pair when credentials are rotated', async () => {
    const old = await machines()
    await world.change({
      metadata: {
        annotations: {
          'gardener.cloud/operation': 'rotate-credentials-start',
          // Gardener's API server adds the task, because the key pair changes.
          'shoot.gardener.cloud/tasks': 'deployInfrastructure',
        },
      },
    })
    const prepared = await ends(first, 'Reconcile')
    expect(prepared?.credentials?.rotation?.certificateAuthorities?.phase).toBe('Prepared')
    expect((await machines()).filter(one => old.includes(one))).toEqual([])
    const rotated = await machines()
    await world.change({
      metadata: { annotations: { 'gardener.cloud/operation': 'rotate-credentials-complete' } },
    })
    const completed = await ends(first, 'Reconcile')
    expect(completed?.credentials?.rotation?.serviceAccountKey?.phase).toBe('Completed')
    expect(await machines()).toEqual(rotated)
    await untilCloudHas(`${network}, 3 machines, 3 disks, ${buckets}, ${records}`)
  })

  test('has the condition of a stale report while the heartbeat is missing', async () => {
    const { kubernetes } = world.clusterOf(first.name)
    const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }
    const key = { name: 'gardener-extension-heartbeat', namespace: `extension-trellis-${first.name}` }
    await kubernetes.patch(leases, key, { spec: { renewTime: '2026-01-01T00:00:00.000000Z' } })
    expect(await world.care(first)).toMatchObject([
      { type: 'ControlPlaneHealthy', status: 'Unknown', reason: 'ControlPlaneOutdatedHealthCheckReport' },
      { type: 'EveryNodeReady', status: 'Unknown', reason: 'WorkerOutdatedHealthCheckReport' },
    ])
    await isHealthy(first)
  })

  test('stays as it is in the cloud when it moves to another seed', async () => {
    const account = linesOf(await wholeAccount(aws))
    await world.change({
      spec: { seedName: second.name },
      status: { constraints: [{ type: 'ReadyForMigration', status: 'True', reason: 'Ready', message: '' }] },
    })
    await ends(first, 'Migrate')
    // gardenlet deletes the BackupEntry beside the flow.
    await expect.poll(() => world.states(first)).toEqual({})
    expect(linesOf(await wholeAccount(aws))).toEqual(account)
    await ends(second, 'Restore')
    expect(linesOf(await wholeAccount(aws))).toEqual(account)
    await isHealthy(second)
  })

  test('is not retried with credentials that AWS refuses, until its user asks for it', async () => {
    const secret = { kind: 'Secret', name: 'cloud', namespace: wholeShoot.metadata.namespace }
    const { accessKeyID, secretAccessKey } = landscape.credentials
    const secretKey = (text: string | undefined) =>
      world.driver.ask({
        do: 'patch',
        ...secret,
        patch: { data: { secretAccessKey: Buffer.from(text ?? '').toString('base64') } },
      })
    const mend = aws.faults.add({
      accessKeyId: accessKeyID,
      times: null,
      effect: { kind: 'error', code: 'InvalidClientTokenId' },
    })
    await secretKey('wrong')
    await world.change({
      metadata: { annotations: { 'shoot.gardener.cloud/tasks': 'deployInfrastructure' } },
    })
    await expect(world.reconcile(second)).rejects.toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(await world.status()).toMatchObject({ lastOperation: { state: 'Failed' } })
    await expect(world.reconcile(second)).rejects.toThrow('gardenlet skips the Shoot')
    mend()
    await secretKey(secretAccessKey)
    // Gardener's API server raises the generation when the user asks for a retry.
    await world.change({})
    await ends(second, 'Reconcile')
  })

  test('leaves nothing in the cloud and in its seeds after its deletion', async () => {
    await world.delete()
    await world.reconcile(second)
    expect(await world.status()).toBeUndefined()
    // Its owner is the Shoot, so the garbage collector of the garden deletes it.
    const { namespace, uid } = wholeShoot.metadata
    const entry = `${wholeShoot.status.technicalID}--${uid}`
    await world.driver.ask({ do: 'delete', kind: 'BackupEntry', namespace, name: entry })
    await untilCloudHas(buckets)
    for (const seed of [first, second]) await expect.poll(() => world.states(seed)).toEqual({})
  })
})
