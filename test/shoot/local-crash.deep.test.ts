import { afterEach, expect, test } from 'vitest'
import { during } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { localShoot } from '../../sandbox/providers/local/demo/whole-shoot.ts'
import { type LocalWorld, startLocalWorld } from './local-world.ts'
import { mortalFunctions } from './mortal-functions.ts'

let world: LocalWorld | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

/**
 * The number of writes, to the seed, the provider cluster and the name server, that the first process of each function
 * makes.
 */
const deaths = {
  'calico-network': 3,
  'gardenlinux-operatingsystemconfig': 3,
  'gvisor-containerruntime': 3,
  'local-backupbucket': 3,
  'local-backupentry': 3,
  'local-bastion': 5,
  'local-controlplane': 6,
  'local-dnsrecord': 3,
  'local-extension-seed': 4,
  'local-extension-shoot': 4,
  'local-extension-shoot-after-worker': 4,
  'local-infrastructure': 4,
  'local-operatingsystemconfig': 3,
  'local-selfhostedshootexposure': 4,
  'local-worker': 5,
}

test('each function dies once during the creation of the shoot, and nothing is lost or created twice', async () => {
  const functions = mortalFunctions(deaths)
  world = await startLocalWorld({ mortals: functions })
  const { first } = world
  await first.gardenlet.prepareSeed()
  await first.gardenlet.reconcile(localShoot)
  await first.gardenlet.openBastion(localShoot, { name: 'cli', cidr: '198.51.100.9/32' })
  await first.gardenlet.expose(localShoot, { name: 'api', nodes: { n1: '10.0.128.5' } })
  expect(functions.died().toSorted()).toEqual(Object.keys(deaths))
  const kindsHeld = world.held().map(object => object.split(' ')[0])
  expect(
    Object.fromEntries([...Map.groupBy(kindsHeld, kind => kind)].map(([kind, all]) => [kind, all.length])),
  ).toEqual({
    EndpointSlice: 1,
    IPPool: 1,
    Namespace: 1,
    NetworkPolicy: 3,
    Pod: 3,
    Secret: 1,
    Service: 2,
  })
  expect(world.records()).toHaveLength(3)

  world.cloudWrites()
  await first.gardenlet.reconcile(localShoot)
  expect(world.cloudWrites()).toEqual([])

  await first.gardenlet.unexpose(localShoot, 'api')
  await first.gardenlet.closeBastion(localShoot, 'cli')
  await first.gardenlet.delete(during(localShoot, 'Delete'))
  await first.gardenlet.removeSeed()
  await expect.poll(world.held).toEqual([])
  expect(world.records()).toEqual([])
  expect(await world.backups()).toEqual([])
  expect(await first.left()).toEqual([])
})
