import {
  AssociateDhcpOptionsCommand,
  CreateDhcpOptionsCommand,
  DeleteDhcpOptionsCommand,
  DescribeDhcpOptionsCommand,
  DescribeVpcsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = () => network.ec2ClientOf(createAws({ ec2: { durations: { scale: 0 } } }))

const create = async (client: EC2Client, Key = 'domain-name', value = 'eu-west-1.compute.internal') =>
  (
    await client.send(
      new CreateDhcpOptionsCommand({
        DhcpConfigurations: [
          { Key, Values: [value] },
          { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
        ],
        TagSpecifications: network.named('dhcp-options', 'shoot'),
      }),
    )
  ).DhcpOptions

describe('DHCP options', () => {
  test('a set of DHCP options has its values and tags, and is found by both', async () => {
    const client = setUp()
    const made = await create(client)
    expect(made).toMatchObject({
      DhcpConfigurations: [
        { Key: 'domain-name', Values: [{ Value: 'eu-west-1.compute.internal' }] },
        { Key: 'domain-name-servers', Values: [{ Value: 'AmazonProvidedDNS' }] },
      ],
      Tags: [{ Key: 'Name', Value: 'shoot' }],
    })
    const Filters = [
      { Name: 'tag:Name', Values: ['shoot'] },
      { Name: 'key', Values: ['domain-name'] },
    ]
    const { DhcpOptions } = await client.send(new DescribeDhcpOptionsCommand({ Filters }))
    expect(DhcpOptions).toEqual([made])
  })

  test('a new VPC has the default DHCP options of its region', async () => {
    const client = setUp()
    const { Vpcs } = await client.send(new DescribeVpcsCommand({ VpcIds: [await network.newVpc(client)] }))
    const DhcpOptionsIds = [Vpcs?.[0]?.DhcpOptionsId ?? '']
    const { DhcpOptions } = await client.send(new DescribeDhcpOptionsCommand({ DhcpOptionsIds }))
    expect(DhcpOptions?.[0]?.DhcpConfigurations?.[0]).toEqual({
      Key: 'domain-name',
      Values: [{ Value: 'eu-west-1.compute.internal' }],
    })
  })

  test('a set of DHCP options can be deleted once no VPC uses it', async () => {
    const client = setUp()
    const DhcpOptionsId = (await create(client))?.DhcpOptionsId ?? ''
    const VpcId = await network.newVpc(client)
    await client.send(new AssociateDhcpOptionsCommand({ DhcpOptionsId, VpcId }))
    const remove = () => client.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId }))
    expect(await failureOf(remove())).toMatchObject({
      name: 'DependencyViolation',
      message: `The dhcpOptions '${DhcpOptionsId}' has dependencies and cannot be deleted.`,
    })
    await client.send(new AssociateDhcpOptionsCommand({ DhcpOptionsId: 'default', VpcId }))
    const { Vpcs } = await client.send(new DescribeVpcsCommand({ VpcIds: [VpcId] }))
    expect(Vpcs?.[0]?.DhcpOptionsId).toBe('default')
    await remove()
    expect(await failureOf(remove())).toMatchObject({ name: 'InvalidDhcpOptionID.NotFound' })
  })
})
