import {
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../testing/clients.ts'
import { armImage, setUp, terminate } from '../../testing/machines.ts'
import * as network from '../../testing/network.ts'

describe('refused launches', () => {
  test.each<[string, Partial<RunInstancesCommandInput>, string, string?]>([
    ['for an unknown image', { ImageId: 'ami-0000000000000000f' }, 'InvalidAMIID.NotFound'],
    ['for an image id of no form', { ImageId: 'foo' }, 'InvalidAMIID.Malformed'],
    [
      'for an unknown type',
      { InstanceType: 't9.huge' as 't3.small' },
      'InvalidParameterValue',
      "Invalid value 't9.huge' for InstanceType.",
    ],
    ['for another architecture', { ImageId: armImage }, 'InvalidParameterValue'],
    [
      'for an unknown key',
      { KeyName: 'none' },
      'InvalidKeyPair.NotFound',
      "The key pair 'none' does not exist",
    ],
    ['for an unknown group', { SecurityGroupIds: ['sg-0000000000000000f'] }, 'InvalidGroup.NotFound'],
    ['for an unknown subnet', { SubnetId: 'subnet-0000000000000000f' }, 'InvalidSubnetID.NotFound'],
    ['for no instances', { MinCount: 0 }, 'InvalidParameterValue'],
    ['for fewer than one', { MinCount: 2, MaxCount: 1 }, 'InvalidParameterCombination'],
    [
      'with too much user data',
      { UserData: Buffer.alloc(16_385).toString('base64') },
      'InvalidParameterValue',
      'User data is limited to 16384 bytes',
    ],
    [
      'with an unknown placement group',
      { Placement: { GroupId: 'pg-1' } },
      'InvalidPlacementGroup.Unknown',
      "The Placement Group 'pg-1' is unknown.",
    ],
    [
      'with an unknown capacity reservation',
      { CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } } },
      'InvalidCapacityReservationId.NotFound',
    ],
    [
      'with a device of no name',
      { BlockDeviceMappings: [{ DeviceName: '/root', Ebs: { VolumeSize: 9 } }] },
      'InvalidBlockDeviceMapping',
      'Invalid device name /root',
    ],
    [
      'with a root smaller than its image',
      { BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { VolumeSize: 4 } }] },
      'InvalidBlockDeviceMapping',
      "Volume of size 4GB is smaller than snapshot 'snap-0aaaaaaaaaaaaaaa1', expect size >= 8GB",
    ],
    [
      'with an unknown kind of volume',
      {
        BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9, VolumeType: 'gp9' as 'gp3' } }],
      },
      'UnknownVolumeType',
    ],
    [
      'with an unknown snapshot',
      { BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { SnapshotId: 'snap-0000000000000000f' } }] },
      'InvalidSnapshot.NotFound',
    ],
    [
      'into an unknown group of reservations',
      {
        CapacityReservationSpecification: {
          CapacityReservationTarget: { CapacityReservationResourceGroupArn: 'arn:aws:resource-groups:x' },
        },
      },
      'InvalidParameterValue',
    ],
    [
      'with tags for something else',
      { TagSpecifications: network.named('vpc', 'x') },
      'InvalidParameterValue',
    ],
  ])('%s', async (_, input, name, message) => {
    const { client, run } = await setUp()
    const failure = await failureOf(run(input))
    expect(failure).toMatchObject({ name, ...(message === undefined ? {} : { message }) })
    expect((await client.send(new DescribeInstancesCommand({}))).Reservations).toEqual([])
    expect((await client.send(new DescribeNetworkInterfacesCommand({}))).NetworkInterfaces).toEqual([])
  })

  test.each([
    [
      'the same place twice',
      [0, 0],
      'InvalidParameterValue',
      'Each network interface requires a unique device index.',
    ],
    ['no first place', [1], 'InvalidParameterValue', undefined],
    [
      'more interfaces than the type has',
      [0, 1, 2, 3],
      'AttachmentLimitExceeded',
      'Interface count 4 exceeds the limit for t3.small',
    ],
  ])('a launch with %s is refused', async (_, places, name, message) => {
    const { run, subnetId } = await setUp()
    const NetworkInterfaces = places.map(DeviceIndex => ({ DeviceIndex, SubnetId: subnetId }))
    expect(await failureOf(run({ NetworkInterfaces }))).toMatchObject({
      name,
      ...(message === undefined ? {} : { message }),
    })
  })

  test('a launch with EFA on a type without EFA is refused', async () => {
    const { run, subnetId } = await setUp()
    const NetworkInterfaces = [{ DeviceIndex: 0, SubnetId: subnetId, InterfaceType: 'efa' }]
    expect(await failureOf(run({ NetworkInterfaces }))).toMatchObject({
      name: 'InvalidParameterCombination',
      message: 'EFA interfaces are not supported on t3.small.',
    })
  })

  test('a launch that exceeds the vCPU limit of the account is refused', async () => {
    const { run, runOne, client } = await setUp({ vcpus: 4 })
    const first = await runOne()
    await runOne()
    expect(await failureOf(run())).toMatchObject({ name: 'VcpuLimitExceeded' })
    await terminate(client, first)
    await runOne()
  })
})
