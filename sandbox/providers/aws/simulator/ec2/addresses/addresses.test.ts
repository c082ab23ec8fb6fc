import {
  AllocateAddressCommand,
  DescribeAddressesCommand,
  type EC2Client,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const client = network.ec2ClientOf(createAws({ ec2: { durations: { scale: 0 } } }))
  const made = await network.newNetwork(client)
  return { client, ...made, addressId: await network.newAddress(client) }
}

const describeAddress = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeAddressesCommand({ AllocationIds: [id] }))).Addresses?.[0]

describe('elastic addresses', () => {
  test('a new address is unique and has its tags from the start', async () => {
    const { client } = await setUp()
    const allocate = () =>
      client.send(
        new AllocateAddressCommand({
          Domain: 'vpc',
          TagSpecifications: network.named('elastic-ip', 'shoot-eip-natgw-z0'),
        }),
      )
    const [one, two] = [await allocate(), await allocate()]
    expect(one.PublicIp).toMatch(/^198\.1[89]\.\d+\.\d+$/)
    expect(two.PublicIp).not.toBe(one.PublicIp)
    const Filters = [{ Name: 'tag:Name', Values: ['shoot-eip-*'] }]
    const { Addresses } = await client.send(new DescribeAddressesCommand({ Filters }))
    expect(Addresses?.map(({ AllocationId }) => AllocationId)).toEqual([one.AllocationId, two.AllocationId])
  })

  test('an address can be found by its public IP', async () => {
    const { client, addressId } = await setUp()
    const { PublicIp = '' } = (await describeAddress(client, addressId)) ?? {}
    const { Addresses } = await client.send(new DescribeAddressesCommand({ PublicIps: [PublicIp] }))
    expect(Addresses).toMatchObject([{ AllocationId: addressId, Domain: 'vpc' }])
    expect(
      await failureOf(client.send(new DescribeAddressesCommand({ PublicIps: ['8.8.8.8'] }))),
    ).toMatchObject({ name: 'InvalidAddress.NotFound', message: "Address '8.8.8.8' not found." })
  })
})

describe('releasing an elastic address', () => {
  const release = (client: EC2Client, AllocationId: string) =>
    client.send(new ReleaseAddressCommand({ AllocationId }))

  test('the release fails with another error while a NAT gateway has the address', async () => {
    const { client, addressId, subnetId } = await setUp()
    await network.newNatGateway(client, subnetId, addressId)
    const refused = {
      name: 'AuthFailure',
      message: 'You do not have permission to access the specified resource.',
    }
    expect(await failureOf(release(client, addressId))).toMatchObject(refused)
  })

  test('the release works once', async () => {
    const { client, addressId } = await setUp()
    await release(client, addressId)
    expect(await failureOf(release(client, addressId))).toMatchObject({
      name: 'InvalidAllocationID.NotFound',
      message: `The allocation ID '${addressId}' does not exist`,
    })
  })
})
