import {
  AttachInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DescribeInternetGatewaysCommand,
  DetachInternetGatewayCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const client = network.ec2ClientOf(createAws({ ec2: { durations: { scale: 0 }, defaultVpc: false } }))
  const vpcId = await network.newVpc(client)
  const attach = (InternetGatewayId: string, VpcId = vpcId) =>
    client.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId }))
  return { client, vpcId, attach }
}

describe('internet gateways', () => {
  test('an internet gateway is attached to one VPC, and a VPC has one', async () => {
    const { client, vpcId, attach } = await setUp()
    const id = await network.newInternetGateway(client, vpcId)
    expect(await failureOf(attach(id))).toMatchObject({
      name: 'Resource.AlreadyAssociated',
      message: `resource ${id} is already attached to network ${vpcId}`,
    })
    expect(await failureOf(attach(await network.newInternetGateway(client)))).toMatchObject({
      name: 'InvalidParameterValue',
      message: `Network ${vpcId} already has an internet gateway attached`,
    })
    const Filters = [{ Name: 'attachment.vpc-id', Values: [vpcId] }]
    const { InternetGateways } = await client.send(new DescribeInternetGatewaysCommand({ Filters }))
    expect(InternetGateways).toMatchObject([
      { InternetGatewayId: id, Attachments: [{ State: 'available', VpcId: vpcId }] },
    ])
  })

  test('an attached internet gateway cannot be deleted', async () => {
    const { client, vpcId } = await setUp()
    const InternetGatewayId = await network.newInternetGateway(client, vpcId)
    const remove = () => client.send(new DeleteInternetGatewayCommand({ InternetGatewayId }))
    const detach = () => client.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId: vpcId }))
    expect(await failureOf(remove())).toMatchObject({
      name: 'DependencyViolation',
      message: `The internetGateway '${InternetGatewayId}' has dependencies and cannot be deleted.`,
    })
    await detach()
    expect(await failureOf(detach())).toMatchObject({
      name: 'Gateway.NotAttached',
      message: `resource ${InternetGatewayId} is not attached to network ${vpcId}`,
    })
    await remove()
    expect(await failureOf(remove())).toMatchObject({ name: 'InvalidInternetGatewayID.NotFound' })
  })
})

test('an internet gateway cannot be detached while its VPC has public addresses', async () => {
  const { client } = await setUp()
  const { vpcId: VpcId, subnetId, gatewayId: InternetGatewayId } = await network.newNetwork(client)
  await network.newNatGateway(client, subnetId, await network.newAddress(client))
  const detach = new DetachInternetGatewayCommand({ InternetGatewayId, VpcId })
  expect(await failureOf(client.send(detach))).toMatchObject({
    name: 'DependencyViolation',
    message: `Network ${VpcId} has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.`,
  })
})
