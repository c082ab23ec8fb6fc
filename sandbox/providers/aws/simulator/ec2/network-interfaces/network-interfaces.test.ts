import {
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DescribeNetworkInterfacesCommand,
  type EC2Client,
  ModifyNetworkInterfaceAttributeCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import { createContext, resolveSettings } from '../core/context.ts'
import { ec2Owner } from '../core/model.ts'
import { createServiceInterface, deleteServiceInterface } from '../network-interfaces.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 0 } } })
  const client = network.ec2ClientOf(aws)
  const { vpcId, subnetId } = await network.newNetwork(client)
  return { aws, clock, client, vpcId, subnetId }
}

const describeInterface = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [id] })))
    .NetworkInterfaces?.[0]

describe('the interface of another service', () => {
  const withService = async () => {
    const world = await setUp()
    const groupId = await network.newGroup(world.client, world.vpcId)
    const ec2 = () =>
      createContext(
        {
          state: world.aws.account().state(ec2Owner, 'eu-west-1'),
          region: 'eu-west-1',
          clock: world.clock,
          accountId: '123456789012',
          newId: length => 'a'.repeat(length),
        },
        resolveSettings({}),
      )
    const { id } = createServiceInterface(ec2(), {
      subnetId: world.subnetId,
      groupIds: [groupId],
      description: 'ELB app/name/50dc6c495c0c9188',
      requester: 'amazon-elb',
      isPublic: true,
    })
    return { ...world, groupId, ec2, id }
  }

  test('the interface is shown as in use by the service, with its public address', async () => {
    const { client, id } = await withService()
    expect(await describeInterface(client, id)).toMatchObject({
      Description: 'ELB app/name/50dc6c495c0c9188',
      RequesterId: 'amazon-elb',
      RequesterManaged: true,
      Status: 'in-use',
      Attachment: { InstanceOwnerId: 'amazon-elb' },
      Association: { PublicIp: expect.stringMatching(/^198\./), IpOwnerId: 'amazon' },
    })
  })

  test('the interface blocks its subnet and its group until it is deleted, which may be later', async () => {
    const { client, clock, subnetId, groupId, ec2, id } = await withService()
    const removeSubnet = () => client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    const removeGroup = () => client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }))
    deleteServiceInterface(ec2(), id, clock.now() + 60_000)
    await clock.advance(59_999)
    expect(await failureOf(removeSubnet())).toMatchObject({ name: 'DependencyViolation' })
    expect(await failureOf(removeGroup())).toMatchObject({ name: 'DependencyViolation' })
    await clock.advance(1)
    await removeGroup()
    await removeSubnet()
  })

  test('users cannot change the interface', async () => {
    const { client, id: NetworkInterfaceId } = await withService()
    const change = { NetworkInterfaceId, SourceDestCheck: { Value: false } }
    expect(await failureOf(client.send(new ModifyNetworkInterfaceAttributeCommand(change)))).toMatchObject({
      name: 'OperationNotPermitted',
    })
  })
})
