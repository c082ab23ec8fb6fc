import {
  CreateSubnetCommand,
  ModifyInstanceAttributeCommand,
  RunInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import { startAccount, type TestAccount } from './testing/account.ts'
import { amdImage, blocks, infrastructureIn, namespace } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const groupName = `${namespace}-cli-abc-bsg`
const instanceName = `${namespace}-cli-abc-bastion`

/** EC2 lists everything in another order in each call. */
const setUp = async (seed = 1) => {
  const account = startAccount({ shuffleLists: seed })
  const network = await account.makeNetwork()
  return { ...account, network, ...stepsOver(account.aws.requestHandler, account.clock) }
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const ours = { 'trellis.gardener.cloud/created-for': 'bastion-uid' }

const addSubnet = async ({ ec2 }: TestAccount, VpcId: string, CidrBlock: string): Promise<string> => {
  const Tags = [{ Key: 'Name', Value: `${namespace}-public-utility-z0` }]
  const { Subnet } = await ec2.send(
    new CreateSubnetCommand({
      VpcId,
      CidrBlock,
      AvailabilityZone: 'eu-west-1a',
      TagSpecifications: [{ ResourceType: 'subnet', Tags }],
    }),
  )
  return String(Subnet?.SubnetId)
}

describe('of several subnets with the name of the first public one', () => {
  test.each(seeds)('that of the Infrastructure is chosen: order %i', async seed => {
    const account = await setUp(seed)
    const { network, aws, clock, instances } = account
    await addSubnet(account, network.vpcId, '10.250.100.0/22')
    await addSubnet(account, network.vpcId, '10.250.104.0/22')
    const infrastructure = {
      ...infrastructureIn(network.vpcId),
      status: { providerStatus: { vpc: { id: network.vpcId, subnets: [{ id: network.subnetId }] } } },
    }
    await stepsOver(aws.requestHandler, clock, {}, { infrastructure }).until('reconcile')
    expect((await instances()).map(({ SubnetId }) => SubnetId)).toEqual([network.subnetId])
  })

  test('the same one is chosen in any order, if nothing else distinguishes them', async () => {
    const chosen = new Set<string | undefined>()
    for (const seed of seeds) {
      const account = await setUp(seed)
      await addSubnet(account, account.network.vpcId, '10.250.100.0/22')
      await account.until('reconcile')
      chosen.add((await account.instances())[0]?.SubnetId)
    }
    expect(chosen.size).toBe(1)
  })
})

describe('of several instances of the Bastion', () => {
  const addInstance = (account: TestAccount, subnetId: string, group: string) =>
    account.makeInstance(subnetId, group, instanceName, ours)

  test.each(seeds)(
    'the recorded one is used in any order, and a deletion terminates all: order %i',
    async seed => {
      const account = await setUp(seed)
      const { until, instances, groupNamed, network, clock } = account
      const { status } = await until('reconcile')
      const [own] = await instances()
      const group = String((await groupNamed(groupName))?.GroupId)
      await addInstance(account, network.subnetId, group)
      await clock.advance(60_000)
      for (let time = 0; time < 3; time++) {
        const again = await until('reconcile')
        expect(again.status?.ingress).toEqual(status?.ingress)
        expect(status?.ingress).toMatchObject({ ip: own?.PublicIpAddress })
      }
      await until('remove')
      expect(await instances()).toEqual([])
    },
  )

  test.each(seeds)(
    'a running one is preferred to a stopped one, if none is recorded: order %i',
    async seed => {
      const account = await setUp(seed)
      const { aws, clock, ec2, network, makeGroup, instances } = account
      const group = await makeGroup(network.vpcId, groupName, 'Bastion security group', ours)
      const first = await addInstance(account, network.subnetId, group)
      const second = await addInstance(account, network.subnetId, group)
      await clock.advance(60_000)
      const stopped = seed % 2 === 0 ? first : second
      await ec2.send(new StopInstancesCommand({ InstanceIds: [stopped] }))
      await clock.advance(60_000)
      const { status } = await stepsOver(aws.requestHandler, clock).until('reconcile')
      const running = (await instances()).find(({ State }) => State?.Name === 'running')
      expect(status?.ingress).toMatchObject({ ip: running?.PublicIpAddress })
    },
  )

  test('another one is used after the recorded one has ended', async () => {
    const account = await setUp()
    const { until, instances, groupNamed, network, clock, ec2 } = account
    await until('reconcile')
    const [own] = await instances()
    const other = await addInstance(account, network.subnetId, String((await groupNamed(groupName))?.GroupId))
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [String(own?.InstanceId)] }))
    await clock.advance(60_000)
    await until('reconcile')
    expect((await instances()).map(({ InstanceId }) => InstanceId)).toEqual([other])
  })
})

test('an instance that is in the group of the bastion only with a second interface is foreign', async () => {
  const { until, step, ec2, network, makeGroup, groupNamed, instances } = await setUp()
  await until('reconcile')
  const group = String((await groupNamed(groupName))?.GroupId)
  const other = await makeGroup(network.vpcId, 'others', 'theirs')
  const { Instances } = await ec2.send(
    new RunInstancesCommand({
      ImageId: amdImage,
      InstanceType: 't3.small',
      MinCount: 1,
      MaxCount: 1,
      NetworkInterfaces: [
        { DeviceIndex: 1, SubnetId: network.subnetId, Groups: [group] },
        { DeviceIndex: 0, SubnetId: network.subnetId, Groups: [other] },
      ],
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'Name', Value: instanceName }] }],
    }),
  )
  await step('remove')
  expect((await instances()).map(({ InstanceId }) => InstanceId)).toEqual([Instances?.[0]?.InstanceId])
})

describe('an instance with termination protection', () => {
  const protect = ({ ec2 }: TestAccount, InstanceId: string, Value: boolean) =>
    ec2.send(new ModifyInstanceAttributeCommand({ InstanceId, DisableApiTermination: { Value } }))

  test('is a problem that only a user can fix, and is deleted afterwards', async () => {
    const account = await setUp()
    const { until, step, instances, groupNamed } = account
    await until('reconcile')
    const id = String((await instances())[0]?.InstanceId)
    await protect(account, id, true)
    const error: unknown = await step('remove').catch((thrown: unknown) => thrown)
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(String(error)).toContain(
      `terminating the instance ${id}: OperationNotPermitted: The instance '${id}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    )
    // The way to the nodes is closed nevertheless.
    expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toEqual([])
    await protect(account, id, false)
    await until('remove')
    expect(await instances()).toEqual([])
  })

  test('delays neither the end of other instances nor the removal of ranges', async () => {
    const account = await setUp()
    const { until, instances, groupNamed, network, clock, aws, makeInstance } = account
    await until('reconcile')
    const id = String((await instances())[0]?.InstanceId)
    await protect(account, id, true)
    const group = String((await groupNamed(groupName))?.GroupId)
    const second = await makeInstance(network.subnetId, group, instanceName, ours)
    const recreated = stepsOver(aws.requestHandler, clock, {
      metadata: { uid: 'another' },
      spec: { ingress: blocks('198.51.100.0/24') },
    })
    await expect(recreated.step('reconcile')).rejects.toThrow('OperationNotPermitted')
    expect((await instances()).map(({ InstanceId }) => InstanceId)).toEqual([id])
    expect(second).not.toBe(id)
    expect((await groupNamed(groupName))?.IpPermissions).toMatchObject([
      { IpRanges: [{ CidrIp: '198.51.100.0/24' }] },
    ])
  })
})
