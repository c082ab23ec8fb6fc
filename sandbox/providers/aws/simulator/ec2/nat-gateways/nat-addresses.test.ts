import {
  AssociateNatGatewayAddressCommand,
  DeleteNatGatewayCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DisassociateNatGatewayAddressCommand,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const client = network.ec2ClientOf(createAws({ clock, ec2: { durations: { scale: 1 } } }))
  const { subnetId } = await network.newNetwork(client)
  const [primary, second] = [await network.newAddress(client), await network.newAddress(client)]
  const NatGatewayId = await network.newNatGateway(client, subnetId, primary)
  await clock.advance(100_000)
  const addresses = async () =>
    (await client.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [NatGatewayId] }))).NatGateways?.[0]
      ?.NatGatewayAddresses ?? []
  const associate = (AllocationIds = [second]) =>
    client.send(new AssociateNatGatewayAddressCommand({ NatGatewayId, AllocationIds }))
  const disassociate = async (id: string) => {
    const AssociationId = (await addresses()).find(({ AllocationId }) => AllocationId === id)?.AssociationId
    const AssociationIds = [AssociationId ?? '']
    return client.send(new DisassociateNatGatewayAddressCommand({ NatGatewayId, AssociationIds }))
  }
  const release = (AllocationId: string) => client.send(new ReleaseAddressCommand({ AllocationId }))
  return { clock, client, NatGatewayId, primary, second, addresses, associate, disassociate, release }
}

describe('a secondary address of a NAT gateway', () => {
  test('a secondary address is associated after some seconds, with its own private address', async () => {
    const { clock, primary, second, addresses, associate } = await setUp()
    const { NatGatewayAddresses = [] } = await associate()
    const added = { AllocationId: second, IsPrimary: false, Status: 'associating' }
    expect(NatGatewayAddresses).toContainEqual(added)
    await clock.advance(10_000)
    const all = await addresses()
    const [first, other] = [primary, second].map(id => all.find(({ AllocationId }) => AllocationId === id))
    expect(first).toMatchObject({ AllocationId: primary, IsPrimary: true, Status: 'succeeded' })
    expect(other).toMatchObject({ AllocationId: second, IsPrimary: false, Status: 'succeeded' })
    expect(other?.PublicIp).toMatch(/^198\./)
    expect(other?.PrivateIp).not.toBe(first?.PrivateIp)
    expect(other?.NetworkInterfaceId).toBe(first?.NetworkInterfaceId)
  })

  test('a secondary address leaves after its connections have drained, and can then be released', async () => {
    const { clock, client, second, addresses, associate, disassociate, release } = await setUp()
    await associate()
    await clock.advance(10_000)
    await disassociate(second)
    expect((await addresses()).map(({ Status }) => Status).toSorted()).toEqual([
      'disassociating',
      'succeeded',
    ])
    expect(await failureOf(release(second))).toMatchObject({ name: 'AuthFailure' })
    await clock.advance(350_000)
    expect(await addresses()).toHaveLength(1)
    const { Addresses = [] } = await client.send(new DescribeAddressesCommand({ AllocationIds: [second] }))
    expect(Addresses[0]).not.toHaveProperty('AssociationId')
    await release(second)
  })

  test('the primary address cannot be disassociated', async () => {
    const { primary, disassociate } = await setUp()
    expect(await failureOf(disassociate(primary))).toMatchObject({ name: 'InvalidParameterValue' })
  })

  test('an address in use is refused', async () => {
    const { primary, associate } = await setUp()
    expect(await failureOf(associate([primary]))).toMatchObject({ name: 'Resource.AlreadyAssociated' })
  })

  test('the deletion of the gateway frees all its addresses', async () => {
    const { clock, client, NatGatewayId, primary, second, associate, release } = await setUp()
    await associate()
    await client.send(new DeleteNatGatewayCommand({ NatGatewayId }))
    await clock.advance(50_000)
    await release(primary)
    await release(second)
  })
})
