import { createGardenlet, type GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { asleep, rotating } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import { createKubernetes, type GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'
import { aliveRows } from './alive-rows.ts'
import { type AwsLife, awsHistories } from './aws-history.ts'
import { type History, mustHold } from './history.ts'
import { hour, minute, type OwnObject } from './life.ts'

const shootHistory = awsHistories('shoot')

const create = async (life: AwsLife, shoot: GardenShoot = life.world.cloud.shoot): Promise<void> => {
  await life.gardenlet(gardenlet => gardenlet.prepareSeed())
  await life.gardenlet(gardenlet => gardenlet.reconcile(shoot))
}

/** Moves the shoot to the second seed. */
const move = async (life: AwsLife): Promise<void> => {
  const { second, cloud } = life.world
  const state = await life.gardenlet(gardenlet => gardenlet.migrate(cloud.shoot))
  await life.gardenlet(gardenlet => gardenlet.prepareSeed(), second)
  await life.gardenlet(gardenlet => gardenlet.restore(cloud.shoot, state), second)
}

const idsOf = (life: AwsLife, table: string): string =>
  aliveRows(life.world.cloud, table)
    .map(({ id }) => String(id))
    .sort()
    .join(', ')

const mustStay = async (life: AwsLife, table: string, work: () => Promise<void>): Promise<void> => {
  const before = idsOf(life, table)
  await work()
  await life.sleep(10 * minute)
  const after = idsOf(life, table)
  mustHold(before === after, `the ${table} changed from ${before} to ${after}`)
}

const namespaceOf = (life: AwsLife): string => life.world.cloud.shoot.status.technicalID

const ownOf = (life: AwsLife, kind: OwnObject['kind']): OwnObject => ({
  kind,
  key: { name: life.world.cloud.shoot.metadata.name, namespace: namespaceOf(life) },
  spec: {},
})

const storageClasses = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses', namespaced: false }
const daemonSets = { group: 'apps', version: 'v1', plural: 'daemonsets', namespaced: true }
const deployments = { ...daemonSets, plural: 'deployments' }

const inShoot = async (life: AwsLife, resource: GroupVersionResource): Promise<number> => {
  const { server } = await life.world.shoots.open(namespaceOf(life))
  const kubernetes = createKubernetes({ transport: server.transport, clock: life.world.clock })
  return (await kubernetes.list(resource, {})).items.length
}

const authorities = async (life: AwsLife, name: string) =>
  (await life.seed.kubernetes.list(secrets, { namespace: namespaceOf(life), labelSelector: `name=${name}` }))
    .items

const skewAll = (life: AwsLife, of: RegExp, milliseconds: number): void =>
  life.fault({
    of,
    about: /./,
    times: Number.POSITIVE_INFINITY,
    fate: { kind: 'pass' },
    meet: name =>
      life.seed
        .instances()
        .find(({ process }) => process.name === name)
        ?.process.skew(milliseconds),
  })

const restores = /south\/aws-worker/

export const shootHistories: readonly History[] = [
  shootHistory(
    'a shoot whose state arrives late retains its machines',
    ['aws-worker', 'aws-infrastructure'],
    async life => {
      await create(life)
      const { second, cloud, clock } = life.world
      const state = await life.gardenlet(gardenlet => gardenlet.migrate(cloud.shoot))
      const slow: WorldSeed['kubernetes'] = {
        ...second.kubernetes,
        patch: async (resource, key, patch, options) => {
          if (options?.subresource === 'status') await clock.sleep(5 * minute)
          return second.kubernetes.patch(resource, key, patch, options)
        },
      }
      const gardenlet = createGardenlet({
        kubernetes: slow,
        seed: cloud.seeds.second,
        landscape: cloud.landscape,
        clock,
        signal: new AbortController().signal,
        pollMs: 1_000,
      })
      await mustStay(life, 'instances', async () => {
        await gardenlet.prepareSeed()
        await gardenlet.restore(cloud.shoot, state)
      })
    },
  ),
  shootHistory(
    'a migration after a crash loses no resource',
    ['aws-infrastructure'],
    async life => {
      life.fault({ of: /aws-infrastructure/, about: /CreateVpc/, fate: { kind: 'crash', when: 'after' } })
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      const end = new AbortController()
      const creating = life.seed
        .gardenlet(end.signal)
        .reconcile(life.world.cloud.shoot)
        .catch(() => {})
      await life.until('the crash', () => aliveRows(life.world.cloud, 'vpcs').length > 1)
      end.abort(new Error('the creation is given up'))
      await creating
      const own = ownOf(life, 'Infrastructure')
      const before = await life.live(own)
      if (before === undefined) throw new Error('the Infrastructure is gone')
      const spec = before.spec as OwnObject['spec']
      await life.request({ ...own, spec }, 'migrate')
      await life.until('the migration is not done', async () => {
        const { lastOperation } = Object((await life.live(own))?.status)
        return lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded'
      })
      const { state } = Object((await life.live(own))?.status)
      await life.drop(own)
      await life.untilGone(own)
      await life.request({ ...own, spec }, 'wait-for-state')
      const { resource } = kinds.Infrastructure
      await life.seed.kubernetes.patch(resource, own.key, { status: { state } }, { subresource: 'status' })
      await life.apply({ ...own, spec }, 'restore')
      const count = aliveRows(life.world.cloud, 'vpcs').length
      mustHold(count === 2, `expected the VPC of the shoot and the default one, found ${count}`)
    },
    'intermediate',
  ),
  shootHistory('a moved shoot retains its machines', ['aws-worker'], async life => {
    await create(life)
    await mustStay(life, 'instances', () => move(life))
  }),
  shootHistory(
    'a restore that crashes after its first deployments retains all machines',
    ['aws-worker'],
    async life => {
      await create(life)
      life.fault({
        of: restores,
        about: /^POST .*\/machinedeployments/,
        fate: { kind: 'crash', when: 'after' },
      })
      await mustStay(life, 'instances', () => move(life))
    },
    'intermediate',
  ),
  shootHistory(
    'a restore that crashes after its first machine can be repeated',
    ['aws-worker'],
    async life => {
      await create(life)
      life.fault({ of: restores, about: /^POST .*\/machines$/, fate: { kind: 'crash', when: 'after' } })
      await mustStay(life, 'instances', () => move(life))
    },
    'intermediate',
  ),
  shootHistory(
    'the deletion of a half-restored Worker deletes its machines',
    ['aws-worker'],
    async life => {
      await create(life)
      const { second, cloud } = life.world
      const state = await life.gardenlet(gardenlet => gardenlet.migrate(cloud.shoot))
      await life.gardenlet(gardenlet => gardenlet.prepareSeed(), second)
      let isHit = false
      life.fault({
        of: restores,
        about: /^POST .*\/machinedeployments/,
        fate: { kind: 'crash', when: 'before' },
        meet: () => {
          isHit = true
        },
      })
      const end = new AbortController()
      const restoring = second
        .gardenlet(end.signal)
        .restore(cloud.shoot, state)
        .catch(() => {})
      await life.until('the crash', () => isHit)
      end.abort(new Error('the restore is given up'))
      await restoring
      const { resource } = kinds.Worker
      const { key } = ownOf(life, 'Worker')
      const machineController = { name: 'machine-controller-manager', namespace: namespaceOf(life) }
      await second.kubernetes.patch(deployments, machineController, { spec: { replicas: 1 } })
      const confirmed = { 'confirmation.gardener.cloud/deletion': 'true' }
      await second.kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
      await second.kubernetes.delete(resource, key)
      await life.until(
        'the Worker is not deleted',
        async () => (await second.kubernetes.get(resource, key)) === undefined,
        hour / 2,
      )
      mustHold(idsOf(life, 'instances') === '', `machines are leaked: ${idsOf(life, 'instances')}`)
    },
    'intermediate',
  ),
  shootHistory(
    'a Worker whose last change no bridge has seen becomes ready',
    ['aws-worker', 'local-worker'],
    async life => {
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      const creating = life.gardenlet(gardenlet => gardenlet.reconcile(life.world.cloud.shoot))
      creating.catch(() => undefined)
      const { resource } = machineKinds.MachineDeployment
      await life.until('a MachineDeployment', async () => {
        const { items } = await life.seed.kubernetes.list(resource, { namespace: namespaceOf(life) })
        const { lastOperation } = Object((await life.live(ownOf(life, 'Worker')))?.status)
        return items.length > 0 && lastOperation?.state === 'Processing'
      })
      await life.sleep(2_000)
      for (const { process } of life.seed.bridges()) process.kill()
      await life.sleep(10 * minute)
      for (const replica of [0, 1]) life.seed.restart(replica)
      await creating
    },
    'unobserved',
  ),
  shootHistory('a hibernated shoot has no machines', ['aws-worker'], async life => {
    await create(life)
    const end = new AbortController()
    const sleeping = life.seed
      .gardenlet(end.signal)
      .reconcile(asleep(life.world.cloud.shoot))
      .catch(() => {})
    await life.sleep(4 * minute)
    end.abort(new Error('the rest does not matter'))
    await sleeping
    mustHold(idsOf(life, 'instances') === '', `machines are awake: ${idsOf(life, 'instances')}`)
  }),
  shootHistory(
    'a late write of a rotation creates no further CA',
    ['aws-controlplane', 'oidc-extension'],
    async life => {
      await create(life)
      const ca = 'ca-provider-aws-controlplane'
      const slow = (name: string) => {
        const of = life.seed.instances().find(({ process }) => process.name === name)?.process
        of?.freeze(4 * minute)
      }
      life.fault({
        of: /aws-controlplane/,
        about: /^GET .*\/secrets\?.*manager-identity/,
        fate: { kind: 'pass', beforeMs: 1 },
        meet: slow,
      })
      const rotation = { phase: 'Preparing', lastInitiationTime: '2026-01-01T01:00:00Z' } as const
      await life.sleep(hour)
      await life.gardenlet(gardenlet => gardenlet.reconcile(rotating(life.world.cloud.shoot, rotation)))
      await life.sleep(20 * minute)
      const found = await authorities(life, ca)
      mustHold(found.length === 2, `expected the former CA and one new CA, found ${found.length}`)
      const started = String(Date.parse(rotation.lastInitiationTime) / 1000)
      const times = found.map(({ metadata }) => metadata.labels?.['last-rotation-initiation-time'])
      mustHold(times.includes(started), `no CA has the time of the rotation: ${times.join(', ')}`)
    },
    'stale',
  ),
  shootHistory(
    'a slow clock does not replace a CA',
    ['aws-controlplane', 'oidc-extension'],
    async life => {
      await create(life)
      const before = JSON.stringify(await authorities(life, 'ca-provider-aws-controlplane'))
      skewAll(life, /aws-controlplane/, -hour)
      // gardenlet waits for a newer time in the status, so it would wait for an hour.
      const end = new AbortController()
      const reconciling = life.seed
        .gardenlet(end.signal)
        .reconcile(life.world.cloud.shoot)
        .catch(() => {})
      await life.sleep(10 * minute)
      end.abort(new Error('the rest does not matter'))
      await reconciling
      const after = JSON.stringify(await authorities(life, 'ca-provider-aws-controlplane'))
      mustHold(before === after, 'the CA was replaced')
    },
    'stale',
  ),
  shootHistory(
    'a crash between the manifests and their ManagedResource can be repeated',
    ['calico-network', 'gvisor-containerruntime'],
    async life => {
      life.fault({
        of: /calico-network/,
        about: /^POST .*\/secrets/,
        fate: { kind: 'crash', when: 'after' },
      })
      const end = new AbortController()
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      const creating = life.seed
        .gardenlet(end.signal)
        .reconcile(life.world.cloud.shoot)
        .catch(() => {})
      const network = ownOf(life, 'Network')
      await life.until('the Network', async () => (await life.live(network)) !== undefined)
      await life.untilSucceeded(network, 5 * minute)
      end.abort(new Error('the rest does not matter'))
      await creating
    },
    'intermediate',
  ),
  shootHistory('a migration retains the objects in the shoot', ['aws-controlplane'], async life => {
    await create(life)
    const before = await inShoot(life, storageClasses)
    await life.gardenlet(gardenlet => gardenlet.migrate(life.world.cloud.shoot))
    await life.sleep(5 * minute)
    const after = await inShoot(life, storageClasses)
    mustHold(before > 0 && before === after, `the shoot had ${before} StorageClasses and has ${after}`)
  }),
  shootHistory('a migration retains the network of the nodes', ['calico-network'], async life => {
    await create(life)
    life.fault({
      of: /calico-network/,
      about: /^PATCH .*managedresources/,
      fate: { kind: 'pass', beforeMs: 10_000 },
    })
    const before = await inShoot(life, daemonSets)
    await life.gardenlet(gardenlet => gardenlet.migrate(life.world.cloud.shoot))
    await life.sleep(5 * minute)
    const after = await inShoot(life, daemonSets)
    mustHold(before > 0 && before === after, `the shoot had ${before} DaemonSets and has ${after}`)
  }),
]
