import { DescribeInternetGatewaysCommand } from '@aws-sdk/client-ec2'
import { expect } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import * as machines from './machines.ts'
import * as network from './network.ts'

/** A network with an internet gateway, for requests that EC2 refuses. */
export type Ec2World = Awaited<ReturnType<typeof machines.setUp>> & { readonly gatewayId: string }

/** A refused request: a sentence, the request, and the error. The HTTP status is 400. */
export type Ec2Refusal = [
  sentence: string,
  act: (world: Ec2World) => Promise<unknown>,
  code: string,
  message: string | RegExp,
]

const setUp = async (): Promise<Ec2World> => {
  const world = await machines.setUp()
  const { InternetGateways } = await world.client.send(
    new DescribeInternetGatewaysCommand({
      Filters: [{ Name: 'attachment.vpc-id', Values: [world.vpcId] }],
    }),
  )
  return { ...world, gatewayId: String(InternetGateways?.[0]?.InternetGatewayId) }
}

/** Fails unless the request is refused with the error of the row. */
export const expectRefusal = async (...[, act, name, message]: Ec2Refusal): Promise<void> => {
  const failure = await failureOf(act(await setUp()))
  expect(failure).toMatchObject({ name, $metadata: { httpStatusCode: 400 } })
  expect(failure.message).toMatch(message)
}

/** Creates a NAT gateway in the subnet and returns the id of its address. */
export const newGateway = async ({ client, subnetId }: Ec2World) => {
  const allocation = await network.newAddress(client)
  await network.newNatGateway(client, subnetId, allocation)
  return allocation
}
