import {
  DeleteSubnetCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2'
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { describe, expect, test } from 'vitest'
import { clientSettings, failureOf } from '../../../testing/clients.ts'
import { ec2Owner } from '../../core/model.ts'
import {
  armImage,
  describeInstance,
  image,
  publicInterface,
  seconds,
  setUp,
  terminate,
  volumesOf,
} from '../../testing/machines.ts'
import * as network from '../../testing/network.ts'

describe('a new instance', () => {
  test('an instance is pending without a public name, then running with one', async () => {
    const { client, clock, runOne, subnetId, groupId } = await setUp()
    const id = await runOne({ NetworkInterfaces: [publicInterface(subnetId, groupId)] })
    const pending = await describeInstance(client, id)
    expect(pending).toMatchObject({
      State: { Code: 0, Name: 'pending' },
      StateReason: { Code: 'pending', Message: 'pending' },
      PrivateIpAddress: '10.0.0.4',
      PrivateDnsName: 'ip-10-0-0-4.eu-west-1.compute.internal',
      PublicDnsName: '',
    })
    expect(pending).not.toHaveProperty('PublicIpAddress')
    await clock.advance(12 * seconds)
    const running = await describeInstance(client, id)
    expect(running).toMatchObject({
      State: { Code: 16, Name: 'running' },
      PublicIpAddress: expect.stringMatching(/^198\.1[89]\./),
      MetadataOptions: { State: 'applied', HttpTokens: 'optional', HttpPutResponseHopLimit: 1 },
    })
    expect(running?.NetworkInterfaces?.[0]?.Association?.PublicIp).toBe(running?.PublicIpAddress)
  })

  test('an instance has a public name only if the VPC has DNS host names', async () => {
    const { client, clock, run } = await setUp()
    const inDefaultVpc = await run({ SubnetId: undefined, SecurityGroupIds: undefined } as never)
    await clock.advance(12 * seconds)
    const id = inDefaultVpc.Instances?.[0]?.InstanceId ?? ''
    expect((await describeInstance(client, id))?.PublicDnsName).toMatch(
      /^ec2-198-1[89]-\d+-\d+\.eu-west-1\.compute\.amazonaws\.com$/,
    )
  })

  test('an instance is created from the parameters of the machine controller', async () => {
    const { aws, client, run, subnetId, groupId } = await setUp()
    aws.account().state(ec2Owner, 'eu-west-1').snapshots['snap-0123456789abcdef0'] = { size: 20 }
    const tags = [
      { Key: 'Name', Value: 'machine-1' },
      { Key: 'kubernetes.io/cluster/shoot', Value: '1' },
    ]
    const { Instances } = await run({
      InstanceType: 'm5.large',
      UserData: Buffer.from('#!/bin/sh').toString('base64'),
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
      CpuOptions: { CoreCount: 1, ThreadsPerCore: 1 },
      InstanceMarketOptions: { MarketType: 'spot', SpotOptions: { MaxPrice: '1.00' } },
      BlockDeviceMappings: [
        {
          DeviceName: '/dev/sda1',
          Ebs: { VolumeSize: 50, VolumeType: 'gp3', Encrypted: true, Iops: 4000, Throughput: 250 },
        },
        {
          DeviceName: '/dev/sdf',
          Ebs: {
            VolumeType: 'io1',
            Iops: 500,
            SnapshotId: 'snap-0123456789abcdef0',
            DeleteOnTermination: true,
          },
        },
      ],
      NetworkInterfaces: [
        {
          DeviceIndex: 0,
          SubnetId: subnetId,
          Groups: [groupId],
          AssociatePublicIpAddress: false,
          DeleteOnTermination: true,
          InterfaceType: 'interface',
        },
      ],
      TagSpecifications: [
        { ResourceType: 'instance', Tags: tags },
        { ResourceType: 'volume', Tags: tags },
        { ResourceType: 'network-interface', Tags: tags },
      ],
    })
    const [made] = Instances ?? []
    expect(made).toMatchObject({
      InstanceType: 'm5.large',
      InstanceLifecycle: 'spot',
      SpotInstanceRequestId: expect.stringMatching(/^sir-/),
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
      CpuOptions: { CoreCount: 1, ThreadsPerCore: 1 },
      SecurityGroups: [{ GroupId: groupId, GroupName: 'nodes' }],
      Tags: tags,
      BlockDeviceMappings: [{ DeviceName: '/dev/sda1' }, { DeviceName: '/dev/sdf' }],
    })
    expect(await volumesOf(client, made?.InstanceId ?? '')).toMatchObject([
      { Size: 50, VolumeType: 'gp3', Iops: 4000, Throughput: 250, Encrypted: true, Tags: tags },
      { Size: 20, VolumeType: 'io1', Iops: 500, SnapshotId: 'snap-0123456789abcdef0' },
    ])
    const Filters = [{ Name: 'tag:Name', Values: ['machine-1'] }]
    const { NetworkInterfaces } = await client.send(new DescribeNetworkInterfacesCommand({ Filters }))
    expect(NetworkInterfaces).toMatchObject([{ Attachment: { InstanceId: made?.InstanceId } }])
  })

  test('an instance of a Capacity Block reports its lifecycle', async () => {
    const { aws, run } = await setUp()
    aws.account().state(ec2Owner, 'eu-west-1').references['cr-1'] = true
    const made = await run({
      InstanceMarketOptions: { MarketType: 'capacity-block' },
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } },
    })
    expect(made.Instances).toMatchObject([{ InstanceLifecycle: 'capacity-block' }])
  })

  test('an instance starts with several interfaces, ordered by device index', async () => {
    const { run, subnetId, groupId } = await setUp()
    const at = (DeviceIndex: number, NetworkCardIndex: number, InterfaceType = 'interface') => ({
      DeviceIndex,
      NetworkCardIndex,
      InterfaceType,
      SubnetId: subnetId,
      Groups: [groupId],
    })
    const { Instances } = await run({
      InstanceType: 'p4d.24xlarge',
      NetworkInterfaces: [at(1, 1, 'efa'), at(0, 0)],
    })
    expect(
      Instances?.[0]?.NetworkInterfaces?.map(own => [own.Attachment?.NetworkCardIndex, own.InterfaceType]),
    ).toEqual([
      [0, 'interface'],
      [1, 'efa'],
    ])
  })

  test('a launch starts as many instances as there is room for', async () => {
    const { client, vpcId, run } = await setUp()
    const SubnetId = await network.newSubnet(client, vpcId, '10.0.9.0/28')
    const { Instances, ReservationId } = await run({ SubnetId, MinCount: 2, MaxCount: 20 })
    expect(Instances).toHaveLength(11)
    expect(Instances?.map(each => each.AmiLaunchIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const Filters = [{ Name: 'reservation-id', Values: [ReservationId ?? ''] }]
    const { Reservations } = await client.send(new DescribeInstancesCommand({ Filters }))
    expect(Reservations).toHaveLength(1)
    expect(await failureOf(run({ SubnetId }))).toMatchObject({ name: 'InsufficientFreeAddressesInSubnet' })
  })

  test('a launch leaves nothing behind if one of its interfaces cannot be created', async () => {
    const { client, run, subnetId, groupId } = await setUp()
    const own = (DeviceIndex: number, PrivateIpAddress: string) => ({
      DeviceIndex,
      SubnetId: subnetId,
      Groups: [groupId],
      PrivateIpAddress,
    })
    const NetworkInterfaces = [own(0, '10.0.0.10'), own(1, '10.0.0.10')]
    expect(await failureOf(run({ NetworkInterfaces }))).toMatchObject({ name: 'InvalidIPAddress.InUse' })
    await client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
  })
})

describe('resources that the simulator knows only by id', () => {
  test('such a resource can be named in a launch', async () => {
    const { aws, run } = await setUp()
    Object.assign(aws.account().state(ec2Owner, 'eu-west-1').references, { 'pg-1': true, 'cr-1': true })
    const { Instances } = await run({
      Placement: { GroupId: 'pg-1' },
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } },
    })
    expect(Instances).toMatchObject([{ Placement: { GroupId: 'pg-1' }, CapacityReservationId: 'cr-1' }])
  })
})

describe('the instance profile of a launch', () => {
  const profile = async (withRole: boolean) => {
    const { aws, clock, run } = await setUp()
    const iam = new IAMClient(clientSettings(aws))
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'nodes' }))
    if (withRole) {
      const AssumeRolePolicyDocument = JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      })
      await iam.send(new CreateRoleCommand({ RoleName: 'nodes', AssumeRolePolicyDocument }))
      await iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName: 'nodes', RoleName: 'nodes' }))
    }
    await clock.advance(3_600 * seconds)
    return run
  }

  test('the profile is read from IAM', async () => {
    const run = await profile(true)
    const { Instances } = await run({ IamInstanceProfile: { Name: 'nodes' } })
    expect(Instances?.[0]?.IamInstanceProfile?.Arn).toBe('arn:aws:iam::123456789012:instance-profile/nodes')
  })

  test('a profile without a role is refused', async () => {
    const run = await profile(false)
    expect(await failureOf(run({ IamInstanceProfile: { Name: 'nodes' } }))).toMatchObject({
      name: 'InvalidParameterValue',
      message:
        'IAM Instance Profile "arn:aws:iam::123456789012:instance-profile/nodes" has no associated IAM Roles',
    })
  })

  test('an unknown profile is refused', async () => {
    const { run } = await setUp()
    expect(await failureOf(run({ IamInstanceProfile: { Name: 'none' } }))).toMatchObject({
      name: 'InvalidParameterValue',
      message:
        'Value (none) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
    })
  })
})

describe('the client token of a launch', () => {
  test('a token starts an instance once, also after the instance is terminated', async () => {
    const { client, run } = await setUp()
    const first = await run({ ClientToken: 'token' })
    const second = await run({ ClientToken: 'token' })
    expect(second.ReservationId).toBe(first.ReservationId)
    expect(await failureOf(run({ ClientToken: 'token', MaxCount: 2 }))).toMatchObject({
      name: 'IdempotentParameterMismatch',
    })
    await terminate(client, first.Instances?.[0]?.InstanceId ?? '')
    expect(await failureOf(run({ ClientToken: 'token' }))).toMatchObject({
      name: 'IdempotentInstanceTerminated',
    })
  })
})

describe('images', () => {
  test('the images are the public ones of well-known owners and the account’s own', async () => {
    const { client } = await setUp()
    const all = await client.send(new DescribeImagesCommand({ Owners: ['amazon'] }))
    expect(all.Images?.map(each => each.Architecture)).toContain('arm64')
    const own = await client.send(new DescribeImagesCommand({ Owners: ['self'] }))
    expect(own.Images?.map(each => each.ImageId)).toEqual([image, armImage])
    const Filters = [
      { Name: 'name', Values: ['ubuntu*24.04*'] },
      { Name: 'architecture', Values: ['x86_64'] },
    ]
    const ubuntu = await client.send(new DescribeImagesCommand({ Filters }))
    expect(ubuntu.Images).toMatchObject([{ OwnerId: '099720109477', RootDeviceName: '/dev/sda1' }])
  })

  test('Garden Linux images for arm64 have no boot mode, the others UEFI, the only boot mode of arm64', async () => {
    const { client, subnetId } = await setUp()
    const imagesLike = async (name: string) => {
      const Filters = [
        { Name: 'name', Values: [name] },
        { Name: 'architecture', Values: ['arm64'] },
        { Name: 'is-public', Values: ['true'] },
      ]
      return (await client.send(new DescribeImagesCommand({ Filters }))).Images ?? []
    }
    const [garden] = await imagesLike('gardenlinux-aws-gardener*')
    expect(garden).toMatchObject({ Architecture: 'arm64', State: 'available' })
    expect(garden).not.toHaveProperty('BootMode')
    expect(await imagesLike('ubuntu*24.04*')).toMatchObject([{ BootMode: 'uefi' }])
    const command = new RunInstancesCommand({
      ImageId: garden?.ImageId,
      InstanceType: 't4g.nano',
      SubnetId: subnetId,
      MinCount: 1,
      MaxCount: 1,
    })
    const { Instances = [] } = await client.send(command)
    expect(Instances).toMatchObject([{ Architecture: 'arm64', ImageId: garden?.ImageId }])
  })
})
