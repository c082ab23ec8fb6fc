import {
  CreateEgressOnlyInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateRouteTableCommand,
  CreateVpcEndpointCommand,
  type EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../testing/clients.ts'
import { createEc2 } from '../../service.ts'
import * as machines from '../../testing/machines.ts'
import * as network from '../../testing/network.ts'

interface World {
  readonly client: EC2Client
  readonly vpcId: string
  readonly subnetId: string
  readonly address: string
}

/** Creates a resource with a token; `other` changes the request. Returns a text that is unique for each resource. */
type Create = (world: World, ClientToken: string, other: boolean) => Promise<string | undefined>

const creations: Readonly<Record<string, Create>> = {
  CreateEgressOnlyInternetGateway: async ({ client, vpcId }, ClientToken, other) => {
    const TagSpecifications = network.named('egress-only-internet-gateway', other ? 'b' : 'a')
    const made = await client.send(
      new CreateEgressOnlyInternetGatewayCommand({ VpcId: vpcId, ClientToken, TagSpecifications }),
    )
    return made.EgressOnlyInternetGateway?.EgressOnlyInternetGatewayId
  },
  CreateNatGateway: async ({ client, subnetId, address }, ClientToken, other) => {
    const made = await client.send(
      new CreateNatGatewayCommand({
        SubnetId: subnetId,
        ClientToken,
        ...(other ? { ConnectivityType: 'private' } : { AllocationId: address }),
      }),
    )
    return made.NatGateway?.NatGatewayId
  },
  CreateRouteTable: async ({ client, vpcId }, ClientToken, other) => {
    const TagSpecifications = network.named('route-table', other ? 'b' : 'a')
    const made = await client.send(
      new CreateRouteTableCommand({ VpcId: vpcId, ClientToken, TagSpecifications }),
    )
    return made.RouteTable?.RouteTableId
  },
  CreateVpcEndpoint: async ({ client, vpcId }, ClientToken, other) => {
    const ServiceName = `com.amazonaws.eu-west-1.${other ? 'dynamodb' : 's3'}`
    const made = await client.send(new CreateVpcEndpointCommand({ VpcId: vpcId, ServiceName, ClientToken }))
    return made.VpcEndpoint?.VpcEndpointId
  },
  RunInstances: async ({ client, subnetId }, ClientToken, other) => {
    const made = await client.send(
      new RunInstancesCommand({
        ImageId: machines.image,
        InstanceType: other ? 't3.medium' : 't3.small',
        MinCount: 1,
        MaxCount: 1,
        SubnetId: subnetId,
        ClientToken,
      }),
    )
    return made.Instances?.[0]?.InstanceId
  },
}

const setUp = async (): Promise<World> => {
  const { client, vpcId, subnetId } = await machines.setUp()
  const address = await network.newAddress(client)
  return { client, vpcId, subnetId, address }
}

test('every operation that has a ClientToken is in the table', () => {
  const { model, handlers } = createEc2()
  const withToken = Object.keys(handlers).filter(name =>
    [...(model.operations.get(name)?.input.structIterator() ?? [])].some(
      ([member]) => member === 'ClientToken',
    ),
  )
  expect(Object.keys(creations)).toEqual(withToken.toSorted())
})

describe.each(Object.entries(creations))('%s', (_, create) => {
  test('a request with the same token returns the same resource, another token creates another', async () => {
    const world = await setUp()
    const first = await create(world, 'token', false)
    expect(first).toMatch(/^[a-z-]+-[0-9a-f]{17}$/)
    expect(await create(world, 'token', false)).toBe(first)
    expect(await create(world, 'other', true)).not.toBe(first)
  })

  test('a token that is reused with other parameters is refused', async () => {
    const world = await setUp()
    await create(world, 'token', false)
    expect(await failureOf(create(world, 'token', true))).toMatchObject({
      name: 'IdempotentParameterMismatch',
      $metadata: { httpStatusCode: 400 },
    })
  })
})

test('a refused request does not use up its token', async () => {
  const world = await setUp()
  const create = creations.CreateRouteTable
  if (!create) throw new Error('the table has no route tables')
  expect(await failureOf(create({ ...world, vpcId: 'vpc-0' }, 'token', false))).toMatchObject({
    name: 'InvalidVpcID.NotFound',
  })
  expect(await create(world, 'token', true)).toMatch(/^rtb-/)
})
