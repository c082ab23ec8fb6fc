import {
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../testing/clients.ts'
import { addReference } from '../../inventory.ts'
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
      'with user data that is no base64',
      { UserData: '#!/bin/sh' },
      'InvalidParameterValue',
      'Invalid BASE64 encoding of user data.',
    ],
    [
      'with too much user data',
      { UserData: Buffer.alloc(16_385).toString('base64') },
      'InvalidParameterValue',
      'User data is limited to 16384 bytes',
    ],
    [
      'with a hop limit beyond bounds',
      { MetadataOptions: { HttpPutResponseHopLimit: 65 } },
      'InvalidParameterValue',
    ],
    ['with cores but no threads', { CpuOptions: { CoreCount: 1 } }, 'InvalidParameterCombination'],
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
      'with a device twice',
      {
        BlockDeviceMappings: [
          { DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9 } },
          { DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9 } },
        ],
      },
      'InvalidBlockDeviceMapping',
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
      'with io1 but without IOPS',
      { BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9, VolumeType: 'io1' } }] },
      'MissingParameter',
      'The parameter iops must be specified for io1 volumes.',
    ],
    [
      'with IOPS for gp2',
      {
        BlockDeviceMappings: [
          { DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9, VolumeType: 'gp2', Iops: 100 } },
        ],
      },
      'InvalidParameterCombination',
      'The parameter iops is not supported for gp2 volumes.',
    ],
    [
      'with an unknown snapshot',
      { BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { SnapshotId: 'snap-0000000000000000f' } }] },
      'InvalidSnapshot.NotFound',
    ],
    [
      'on a Dedicated Host where the account has none',
      { Placement: { Tenancy: 'host' } },
      'InsufficientHostCapacity',
    ],
    [
      'of Spot Instances on a Dedicated Host',
      { Placement: { Tenancy: 'host' }, InstanceMarketOptions: { MarketType: 'spot' } },
      'InvalidParameterCombination',
    ],
    [
      'with affinity to a host in another tenancy',
      { Placement: { Affinity: 'default' } },
      'InvalidParameterCombination',
      "The parameter affinity cannot be used without specifying a tenancy of 'host'",
    ],
    [
      'in a partition of no placement group',
      { Placement: { PartitionNumber: 2 } },
      'InvalidParameterCombination',
    ],
    [
      'with SEV-SNP on a type without it',
      { CpuOptions: { AmdSevSnp: 'enabled' } },
      'InvalidParameterCombination',
    ],
    [
      'from a Capacity Block without its reservation',
      { InstanceMarketOptions: { MarketType: 'capacity-block' } },
      'InvalidParameterCombination',
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

  test('a launch into a placement group on a Dedicated Host is refused', async () => {
    const { aws, run } = await setUp()
    for (const id of ['h-1', 'pg-1']) addReference(aws.account(), 'eu-west-1', id)
    expect(await failureOf(run({ Placement: { Tenancy: 'host', GroupId: 'pg-1' } }))).toMatchObject({
      name: 'InvalidParameterCombination',
      message: expect.stringContaining("with a tenancy of 'host' into a placement group"),
    })
    await run({ Placement: { Tenancy: 'host' } })
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

  test('a launch with a subnet and a list of interfaces is refused', async () => {
    const { run, subnetId } = await setUp()
    const input = { NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnetId }], SubnetId: subnetId }
    expect(await failureOf(run(input))).toMatchObject({
      name: 'InvalidParameterCombination',
      message: 'Network interfaces and an instance-level subnet ID may not be specified on the same request',
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
