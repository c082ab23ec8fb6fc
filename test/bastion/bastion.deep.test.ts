import {
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2'
import { afterEach, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { namespace, startBastionSeed } from './bastion-seed.ts'

type Running = Awaited<ReturnType<typeof startBastionSeed>>

const seeds: Running[] = []
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

const setUp = async () => {
  const seed = await startBastionSeed()
  seeds.push(seed)
  await seed.makeInfrastructure()
  await seed.createBastion()
  await seed.untilReady('Bastion')
  return seed
}

const instances = async ({ ec2 }: Running) =>
  ((await ec2.send(new DescribeInstancesCommand({}))).Reservations ?? [])
    .flatMap(({ Instances = [] }) => Instances)
    .filter(({ State }) => State?.Name === 'running')

const groupNames = async ({ ec2 }: Running) =>
  ((await ec2.send(new DescribeSecurityGroupsCommand({}))).SecurityGroups ?? []).map(
    ({ GroupName }) => GroupName,
  )

const ownGroup = `${namespace}-cli-rose-bsg`

test('a bastion becomes ready behind bridge and broker, reports its address, and is deleted', async () => {
  const seed = await setUp()
  const [instance, ...others] = await instances(seed)
  expect(others).toEqual([])
  expect(seed.object('Bastion').status).toMatchObject({
    ingress: { ip: instance?.PublicIpAddress, hostname: instance?.PublicDnsName },
    lastOperation: { state: 'Succeeded', description: 'Successfully reconciled Bastion' },
  })
  expect(await seed.reconcile('Bastion')).toEqual([])
  await seed.remove('Bastion')
  expect(await instances(seed)).toEqual([])
  expect(await groupNames(seed)).not.toContain(ownGroup)
})

test('infrastructure and bastion reconcile alternately without changing the resources of each other', async () => {
  const seed = await setUp()
  for (let round = 0; round < 3; round++) {
    expect(await seed.reconcile('Infrastructure'), `round ${round}`).toEqual([])
    expect(await seed.reconcile('Bastion'), `round ${round}`).toEqual([])
  }
})

test('an address that the ingress no longer lists loses access', async () => {
  const seed = await setUp()
  const ingress = [{ ipBlock: { cidr: '198.51.100.9/32' } }]
  expect(await seed.reconcile('Bastion', { ingress })).toEqual([
    'AuthorizeSecurityGroupIngress',
    'RevokeSecurityGroupIngress',
  ])
})

test('a deletion of the infrastructure completes once its bastion is gone', async () => {
  const seed = await setUp()
  await seed.remove('Bastion')
  await seed.remove('Infrastructure')
  expect(await groupNames(seed)).not.toContain(`${namespace}-nodes`)
})

test('a forced deletion retains the machine and completes', async () => {
  const seed = await setUp()
  await seed.remove('Bastion', { [annotations.forceDeletionConfirmation]: 'true' })
  expect(seed.aws.calls.all()).toEqual([])
  expect(await instances(seed)).toHaveLength(1)
})

test('a missing infrastructure is reported, and the bastion is created after it', async () => {
  const seed = await startBastionSeed()
  seeds.push(seed)
  await seed.makeInfrastructure()
  await seed.remove('Infrastructure')
  await seed.createBastion()
  await seed.until('an error', () => seed.isThere('Bastion') && !!seed.object('Bastion').status?.lastError)
  expect(seed.object('Bastion').status?.lastError).toMatchObject({
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description: expect.stringMatching(
      /^Error checking bastion config: found no subnet shoot--garden--one-zone-public-utility-z0 in eu-west-1\. Reconcile the Infrastructure\. /,
    ),
  })
  await seed.makeInfrastructureAgain()
  expect((await seed.untilReady('Bastion')).status?.ingress?.ip).toBeDefined()
})

test('a foreign machine with the name of the bastion is retained', async () => {
  const seed = await setUp()
  const [own] = await instances(seed)
  const Tags = [{ Key: 'Name', Value: `${namespace}-cli-rose-bastion` }]
  const { SecurityGroups = [] } = await seed.ec2.send(new DescribeSecurityGroupsCommand({}))
  const standard = SecurityGroups.find(
    ({ GroupName, VpcId }) => GroupName === 'default' && VpcId === own?.VpcId,
  )
  await seed.ec2.send(
    new RunInstancesCommand({
      ImageId: own?.ImageId,
      InstanceType: 't3.small',
      MinCount: 1,
      MaxCount: 1,
      SubnetId: own?.SubnetId,
      SecurityGroupIds: [String(standard?.GroupId)],
      TagSpecifications: [{ ResourceType: 'instance', Tags }],
    }),
  )
  expect(await seed.reconcile('Bastion')).toEqual([])
  await seed.remove('Bastion')
  expect((await instances(seed)).map(({ InstanceId }) => InstanceId)).not.toContain(own?.InstanceId)
  expect(await instances(seed)).toHaveLength(1)
})
