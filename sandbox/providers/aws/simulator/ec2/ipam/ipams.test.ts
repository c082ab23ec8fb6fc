import {
  CreateIpamCommand,
  CreateIpamPoolCommand,
  CreateVpcCommand,
  DeleteIpamCommand,
  DeleteIpamPoolCommand,
  DescribeIpamPoolsCommand,
  DescribeIpamsCommand,
  EC2Client,
  GetIpamPoolCidrsCommand,
  ProvisionIpamPoolCidrCommand,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../aws.ts'

const clientOf = () =>
  new EC2Client({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIAOPERATOR', secretAccessKey: 'operator' },
    requestHandler: createAws({ clock: virtualClock(Date.parse('2026-11-21T00:00:00Z')) }).requestHandler,
  })

test('an IPAM provides a pool of IPv6 addresses, from which a VPC gets its block', async () => {
  const client = clientOf()
  expect((await client.send(new DescribeIpamsCommand({}))).Ipams ?? []).toEqual([])
  const { Ipam } = await client.send(
    new CreateIpamCommand({ OperatingRegions: [{ RegionName: 'eu-west-1' }], Description: 'a test' }),
  )
  const { Ipams } = await client.send(new DescribeIpamsCommand({ IpamIds: [Ipam?.IpamId ?? ''] }))
  expect(Ipams).toMatchObject([{ State: 'create-complete', Description: 'a test' }])
  const { IpamPool } = await client.send(
    new CreateIpamPoolCommand({
      IpamScopeId: Ipams?.[0]?.PrivateDefaultScopeId,
      AddressFamily: 'ipv6',
      Locale: 'eu-west-1',
      TagSpecifications: [{ ResourceType: 'ipam-pool', Tags: [{ Key: 'Name', Value: 'pool' }] }],
    }),
  )
  const IpamPoolId = IpamPool?.IpamPoolId ?? ''
  expect(
    (await client.send(new DescribeIpamPoolsCommand({ IpamPoolIds: [IpamPoolId] }))).IpamPools,
  ).toMatchObject([{ State: 'create-complete', Tags: [{ Key: 'Name', Value: 'pool' }] }])
  await client.send(new ProvisionIpamPoolCidrCommand({ IpamPoolId, NetmaskLength: 56 }))
  const { IpamPoolCidrs: [block] = [] } = await client.send(new GetIpamPoolCidrsCommand({ IpamPoolId }))
  expect(block).toMatchObject({ State: 'provisioned', Cidr: expect.stringMatching(/^fd80:.*\/56$/) })
  const { Vpc } = await client.send(
    new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', Ipv6IpamPoolId: IpamPoolId, Ipv6NetmaskLength: 56 }),
  )
  expect(Vpc?.Ipv6CidrBlockAssociationSet).toMatchObject([{ Ipv6CidrBlock: block?.Cidr }])
  await client.send(new DeleteIpamPoolCommand({ IpamPoolId, Cascade: true }))
  await expect(client.send(new GetIpamPoolCidrsCommand({ IpamPoolId }))).rejects.toMatchObject({
    name: 'InvalidIpamPoolId.NotFound',
  })
  await client.send(new DeleteIpamCommand({ IpamId: Ipam?.IpamId, Cascade: true }))
  expect((await client.send(new DescribeIpamsCommand({}))).Ipams ?? []).toEqual([])
})
