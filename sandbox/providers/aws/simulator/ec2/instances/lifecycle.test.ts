import {
  AssociateAddressCommand,
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  ModifyInstanceAttributeCommand,
  StartInstancesCommand,
  StopInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import {
  describeInstance,
  publicInterface,
  seconds,
  setUp,
  terminate,
  volumesOf,
} from '../testing/machines.ts'
import * as network from '../testing/network.ts'

describe('terminating', () => {
  test('a terminated instance is shutting-down first, holds subnet and group until then, and is listed for an hour', async () => {
    const { client, clock, runOne, subnetId, groupId } = await setUp()
    const id = await runOne()
    await clock.advance(12 * seconds)
    expect((await terminate(client, id)).TerminatingInstances).toEqual([
      {
        InstanceId: id,
        PreviousState: { Code: 16, Name: 'running' },
        CurrentState: { Code: 32, Name: 'shutting-down' },
      },
    ])
    await clock.advance(44 * seconds)
    const removeGroup = () => client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }))
    expect(await failureOf(removeGroup())).toMatchObject({ name: 'DependencyViolation' })
    await clock.advance(1 * seconds)
    const gone = await describeInstance(client, id)
    expect(gone).toMatchObject({
      State: { Code: 48, Name: 'terminated' },
      StateReason: { Code: 'Client.UserInitiatedShutdown' },
      StateTransitionReason: 'User initiated (2026-01-01 00:00:12 GMT)',
      NetworkInterfaces: [],
      SecurityGroups: [],
    })
    expect(gone).not.toHaveProperty('SubnetId')
    expect(await volumesOf(client, id)).toEqual([])
    await removeGroup()
    await client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    await clock.advance(3_600 * seconds)
    expect(await failureOf(describeInstance(client, id))).toMatchObject({
      name: 'InvalidInstanceID.NotFound',
    })
  })

  test('a terminated instance leaves volumes that are not deleted on termination', async () => {
    const { client, clock, runOne } = await setUp()
    const id = await runOne({
      BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9, DeleteOnTermination: false } }],
    })
    await terminate(client, id)
    await clock.advance(45 * seconds)
    expect((await client.send(new DescribeVolumesCommand({}))).Volumes).toMatchObject([
      { Size: 9, State: 'available', Attachments: [] },
    ])
  })

  test('termination is refused for a protected instance and for all that are named with it', async () => {
    const { client, runOne } = await setUp()
    const [guarded, other] = [await runOne({ DisableApiTermination: true }), await runOne()]
    expect(await failureOf(terminate(client, other, guarded))).toMatchObject({
      name: 'OperationNotPermitted',
      message: `The instance '${guarded}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    })
    expect((await describeInstance(client, other))?.State?.Name).toBe('pending')
    await client.send(
      new ModifyInstanceAttributeCommand({ InstanceId: guarded, DisableApiTermination: { Value: false } }),
    )
    await terminate(client, other, guarded)
  })

  test('the error names all missing instances', async () => {
    const { client } = await setUp()
    expect(await failureOf(terminate(client, 'i-0000000000000000e', 'i-0000000000000000f'))).toMatchObject({
      name: 'InvalidInstanceID.NotFound',
      message: "The instance IDs 'i-0000000000000000e, i-0000000000000000f' do not exist",
    })
  })
})

describe('stopping and starting an instance', () => {
  test('a stopped instance loses the address of Amazon’s pool and retains an elastic one', async () => {
    const { client, clock, runOne, subnetId, groupId } = await setUp()
    const pooled = await runOne({ NetworkInterfaces: [publicInterface(subnetId, groupId)] })
    const elastic = await runOne()
    await clock.advance(12 * seconds)
    const AllocationId = await network.newAddress(client)
    await client.send(new AssociateAddressCommand({ AllocationId, InstanceId: elastic }))
    const before = await describeInstance(client, pooled)
    const kept = (await describeInstance(client, elastic))?.PublicIpAddress
    expect(kept).toMatch(/^198\./)
    await client.send(new StopInstancesCommand({ InstanceIds: [pooled, elastic] }))
    expect((await describeInstance(client, pooled))?.State).toEqual({ Code: 64, Name: 'stopping' })
    await clock.advance(40 * seconds)
    expect(await describeInstance(client, pooled)).toMatchObject({ State: { Code: 80, Name: 'stopped' } })
    expect(await describeInstance(client, pooled)).not.toHaveProperty('PublicIpAddress')
    expect((await describeInstance(client, elastic))?.PublicIpAddress).toBe(kept)
    await client.send(new StartInstancesCommand({ InstanceIds: [pooled] }))
    await clock.advance(12 * seconds)
    const after = await describeInstance(client, pooled)
    expect(after).toMatchObject({ State: { Name: 'running' }, PrivateIpAddress: before?.PrivateIpAddress })
    expect(after?.PublicIpAddress).not.toBe(before?.PublicIpAddress)
  })

  test('stopping or starting is refused in states that do not allow it', async () => {
    const { client, runOne } = await setUp()
    const id = await runOne()
    expect(await failureOf(client.send(new StopInstancesCommand({ InstanceIds: [id] })))).toMatchObject({
      name: 'IncorrectInstanceState',
    })
  })
})

describe('the list of instances', () => {
  test('the list can be filtered by the properties and parts of an instance', async () => {
    const { client, clock, runOne, subnetId, vpcId, groupId } = await setUp()
    const other = await runOne()
    const id = await runOne({
      PrivateIpAddress: '10.0.0.99',
      TagSpecifications: network.named('instance', 'shoot-bastion'),
    })
    await terminate(client, other)
    await clock.advance(12 * seconds)
    for (const [Name, value] of [
      ['tag:Name', 'shoot-*'],
      ['instance-state-name', 'running'],
      ['instance-state-code', '16'],
      ['private-ip-address', '10.0.0.99'],
      ['private-dns-name', 'ip-10-0-0-99.*'],
    ] as const) {
      const Filters = [
        { Name: 'vpc-id', Values: [vpcId] },
        { Name: 'subnet-id', Values: [subnetId] },
        { Name: 'instance.group-id', Values: [groupId] },
        { Name, Values: [value] },
      ]
      const { Reservations } = await client.send(new DescribeInstancesCommand({ Filters }))
      expect(Reservations?.flatMap(each => each.Instances ?? []).map(each => each.InstanceId)).toEqual([id])
    }
  })
})

test('source and destination checks can be disabled on the only interface', async () => {
  const { client, runOne } = await setUp()
  const InstanceId = await runOne()
  await client.send(new ModifyInstanceAttributeCommand({ InstanceId, SourceDestCheck: { Value: false } }))
  expect(await describeInstance(client, InstanceId)).toMatchObject({
    SourceDestCheck: false,
    NetworkInterfaces: [{ SourceDestCheck: false }],
  })
})

test('the type of a stopped instance can be changed', async () => {
  const { client, clock, runOne } = await setUp()
  const InstanceId = await runOne()
  await clock.advance(12 * seconds)
  const modify = () =>
    client.send(new ModifyInstanceAttributeCommand({ InstanceId, InstanceType: { Value: 'm5.large' } }))
  expect(await failureOf(modify())).toMatchObject({ name: 'IncorrectInstanceState' })
  await client.send(new StopInstancesCommand({ InstanceIds: [InstanceId] }))
  await clock.advance(40 * seconds)
  await modify()
  expect(await describeInstance(client, InstanceId)).toMatchObject({ InstanceType: 'm5.large' })
})
