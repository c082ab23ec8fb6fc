import {
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  ModifyInstanceAttributeCommand,
  type ModifyInstanceAttributeCommandInput,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { describeInstance, seconds, setUp, terminate, volumesOf } from '../testing/machines.ts'
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
    expect(await failureOf(removeGroup())).toMatchObject({
      name: 'DependencyViolation',
      message: `resource ${groupId} has a dependent object`,
    })
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
})

describe('stopping and starting an instance', () => {
  test('stopping or starting is refused in states that do not allow it', async () => {
    const { client, runOne } = await setUp()
    const id = await runOne()
    expect(await failureOf(client.send(new StopInstancesCommand({ InstanceIds: [id] })))).toMatchObject({
      name: 'IncorrectInstanceState',
    })
  })
})

describe('protection of instances', () => {
  const protectedWorld = async (attribute: 'DisableApiTermination' | 'DisableApiStop') => {
    const { client, clock, runOne } = await setUp()
    const InstanceId = await runOne({ [attribute]: true })
    await clock.advance(12 * seconds)
    const allow = (value: Partial<ModifyInstanceAttributeCommandInput> = { [attribute]: { Value: false } }) =>
      client.send(new ModifyInstanceAttributeCommand({ InstanceId, ...value }))
    const stop = () => client.send(new StopInstancesCommand({ InstanceIds: [InstanceId] }))
    return { client, InstanceId, allow, stop, end: () => terminate(client, InstanceId) }
  }

  test('an instance with termination protection is not terminated until the protection ends', async () => {
    const { InstanceId, allow, stop, end } = await protectedWorld('DisableApiTermination')
    expect(await failureOf(end())).toMatchObject({
      name: 'OperationNotPermitted',
      message: `The instance '${InstanceId}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    })
    await stop()
    await allow()
    await end()
  })

  test('an instance with stop protection is neither stopped nor terminated until the protection ends', async () => {
    const { client, InstanceId, allow, stop, end } = await protectedWorld('DisableApiStop')
    expect(await failureOf(stop())).toMatchObject({
      name: 'OperationNotPermitted',
      message: `The instance '${InstanceId}' may not be stopped. Modify its 'disableApiStop' instance attribute and try again.`,
    })
    expect((await failureOf(end())).message).toContain("may not be terminated. Modify its 'disableApiStop'")
    const Attribute = 'disableApiStop'
    const read = new DescribeInstanceAttributeCommand({ InstanceId, Attribute })
    expect(await client.send(read)).toMatchObject({ DisableApiStop: { Value: true } })
    await allow()
    await stop()
    await end()
  })

  test('a protected instance in a list protects the others of the call', async () => {
    const { client, runOne } = await setUp()
    const InstanceIds = [await runOne(), await runOne({ DisableApiTermination: true })]
    const failure = await failureOf(client.send(new TerminateInstancesCommand({ InstanceIds })))
    expect(failure.name).toBe('OperationNotPermitted')
    const { Reservations } = await client.send(new DescribeInstancesCommand({ InstanceIds }))
    const states = Reservations?.flatMap(({ Instances = [] }) => Instances.map(({ State }) => State?.Name))
    expect(states).toEqual(['pending', 'pending'])
  })

  test('one call changes one attribute', async () => {
    const { allow } = await protectedWorld('DisableApiStop')
    const both = { DisableApiStop: { Value: false }, DisableApiTermination: { Value: false } }
    expect(await failureOf(allow(both))).toMatchObject({ name: 'InvalidParameterCombination' })
    expect(await failureOf(allow({}))).toMatchObject({ name: 'MissingParameter' })
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
