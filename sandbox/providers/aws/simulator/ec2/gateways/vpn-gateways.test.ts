import {
  AttachVpnGatewayCommand,
  CreateRouteCommand,
  CreateVpnGatewayCommand,
  DeleteRouteTableCommand,
  DeleteVpcCommand,
  DescribeRouteTablesCommand,
  DescribeVpnGatewaysCommand,
  EnableVgwRoutePropagationCommand,
  ReplaceRouteCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import { setLearnedRanges } from '../inventory.ts'
import * as network from '../testing/network.ts'

const any = '0.0.0.0/0'

const setUp = async () => {
  const aws = createAws({ clock: virtualClock(0), ec2: { durations: { scale: 0 } } })
  const client = network.ec2ClientOf(aws)
  const VpcId = await network.newVpc(client)
  const { VpnGateway } = await client.send(new CreateVpnGatewayCommand({ Type: 'ipsec.1' }))
  const VpnGatewayId = VpnGateway?.VpnGatewayId ?? ''
  setLearnedRanges(aws.account(), 'eu-west-1', VpnGatewayId, [any])
  const RouteTableId = await network.newRouteTable(client, VpcId)
  const propagation = { GatewayId: VpnGatewayId, RouteTableId }
  const routes = async () => {
    const answer = await client.send(new DescribeRouteTablesCommand({ RouteTableIds: [RouteTableId] }))
    return answer.RouteTables?.[0]?.Routes?.filter(({ GatewayId }) => GatewayId !== 'local')
  }
  const attachment = { VpnGatewayId, VpcId }
  return { aws, client, VpcId, VpnGatewayId, RouteTableId, propagation, attachment, routes }
}

describe('a VPN gateway', () => {
  test('the ranges that it has learned appear in tables to which it propagates', async () => {
    const { client, propagation, attachment, routes } = await setUp()
    const enable = () => client.send(new EnableVgwRoutePropagationCommand(propagation))
    expect(await failureOf(enable())).toMatchObject({ name: 'Gateway.NotAttached' })
    await client.send(new AttachVpnGatewayCommand(attachment))
    await enable()
    expect(await routes()).toEqual([
      {
        DestinationCidrBlock: any,
        GatewayId: attachment.VpnGatewayId,
        Origin: 'EnableVgwRoutePropagation',
        State: 'active',
      },
    ])
  })

  test('a propagated route is not replaced, and a static one with its destination is listed beside it', async () => {
    const { client, propagation, attachment, RouteTableId, routes } = await setUp()
    await client.send(new AttachVpnGatewayCommand(attachment))
    await client.send(new EnableVgwRoutePropagationCommand(propagation))
    const GatewayId = await network.newInternetGateway(client, attachment.VpcId)
    const route = { RouteTableId, DestinationCidrBlock: any, GatewayId }
    expect(await failureOf(client.send(new ReplaceRouteCommand(route)))).toMatchObject({
      name: 'InvalidParameterValue',
      message: `There is no route defined for '${any}' in the route table. Use CreateRoute instead.`,
    })
    await client.send(new CreateRouteCommand(route))
    expect((await routes())?.map(({ Origin }) => Origin)).toEqual([
      'CreateRoute',
      'EnableVgwRoutePropagation',
    ])
  })

  test('an attached gateway blocks the deletion of its VPC', async () => {
    const { client, attachment, RouteTableId } = await setUp()
    const { VpcId } = attachment
    await client.send(new DeleteRouteTableCommand({ RouteTableId }))
    const removeVpc = () => client.send(new DeleteVpcCommand({ VpcId }))
    const attach = () => client.send(new AttachVpnGatewayCommand(attachment))
    await attach()
    expect(await failureOf(attach())).toMatchObject({ name: 'VpnGatewayAttachmentLimitExceeded' })
    expect(await failureOf(removeVpc())).toMatchObject({ name: 'DependencyViolation' })
    const { VpnGateways } = await client.send(new DescribeVpnGatewaysCommand({}))
    expect(VpnGateways).toMatchObject([{ VpcAttachments: [{ State: 'attached', VpcId }] }])
  })

  test('a VPC has one VPN gateway', async () => {
    const { client, attachment } = await setUp()
    await client.send(new AttachVpnGatewayCommand(attachment))
    const { VpnGateway } = await client.send(new CreateVpnGatewayCommand({ Type: 'ipsec.1' }))
    const second = { ...attachment, VpnGatewayId: VpnGateway?.VpnGatewayId }
    expect(await failureOf(client.send(new AttachVpnGatewayCommand(second)))).toMatchObject({
      name: 'InvalidVpcState',
    })
  })
})
