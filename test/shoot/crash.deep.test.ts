import { afterEach, expect, test } from 'vitest'
import { added } from '../../sandbox/providers/aws/account-contents.ts'
import { linesOf, wholeAccount } from '../../sandbox/providers/aws/demo/whole-account.ts'
import { during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { mortalFunctions } from './mortal-functions.ts'
import { startWorld, type World } from './whole-shoot-world.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

/**
 * The number of writes, to AWS and to the seed, that the first process of each function makes. It never gets the answer
 * to the last one.
 */
const deaths = {
  'aws-backupbucket': 5,
  'aws-backupentry': 3,
  'aws-bastion': 6,
  'aws-controlplane': 14,
  'aws-dnsrecord': 3,
  'aws-infrastructure': 12,
  'aws-worker': 6,
  'calico-network': 4,
  'gardenlinux-operatingsystemconfig': 3,
}

test('each function dies once during the creation of the shoot, and nothing is lost or created twice', async () => {
  const functions = mortalFunctions(deaths)
  world = await startWorld({ mortals: functions })
  const { aws, first } = world
  const before = await wholeAccount(aws)
  await first.gardenlet.prepareSeed()
  await first.gardenlet.reconcile(wholeShoot)
  await first.gardenlet.openBastion(wholeShoot, { name: 'cli', cidr: '198.51.100.9/32' })
  expect(functions.died().toSorted()).toEqual(Object.keys(deaths))
  expect(added(before, await wholeAccount(aws))).toBe(
    '1 VPC, 3 subnets, 1 internet gateway, 1 NAT gateway, 1 elastic address, 3 route tables, 3 security groups, 1 key pair, 1 role, 1 instance profile, 3 machines, 3 disks, 1 bucket, 3 DNS records',
  )
  const { items } = await first.kubernetes.list(
    { group: '', version: 'v1', plural: 'secrets', namespaced: true },
    { namespace: wholeShoot.status.technicalID, labelSelector: 'managed-by=secrets-manager' },
  )
  expect(items.map(({ metadata }) => metadata.labels?.name).toSorted()).toEqual([
    'aws-load-balancer-controller-webhook-service',
    'ca-provider-aws-controlplane',
    'ca-provider-aws-controlplane-bundle',
    'cloud-controller-manager-server',
  ])

  world.cloudWrites()
  await first.gardenlet.reconcile(wholeShoot)
  expect(world.cloudWrites()).toEqual({})

  await first.gardenlet.closeBastion(wholeShoot, 'cli')
  await first.gardenlet.delete(during(wholeShoot, 'Delete'))
  await first.gardenlet.removeSeed()
  expect(linesOf(await wholeAccount(aws))).toEqual(linesOf(before))
})
