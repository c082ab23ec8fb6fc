import {
  AllocateAddressCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import * as network from '../ec2/testing/network.ts'
import { createAws } from '../simulator.ts'
import { failureOf } from '../testing/clients.ts'

const setUp = (maxAttempts = 1) => {
  const clock = virtualClock(0)
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  const client = network.ec2ClientOf(aws, { maxAttempts })
  const addresses = async () => (await client.send(new DescribeAddressesCommand({}))).Addresses?.length
  return { clock, aws, client, addresses }
}

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a connection dropped %s the effect leaves %i addresses', async (when, left) => {
  const { aws, client, addresses } = setUp()
  aws.faults.add({ action: 'AllocateAddress', when, effect: { kind: 'drop' } })
  expect(await failureOf(client.send(new AllocateAddressCommand({})))).toMatchObject({ code: 'ECONNRESET' })
  expect(await addresses()).toBe(left)
})

test('a lost response makes an SDK that retries allocate twice', async () => {
  const { aws, client, addresses } = setUp(2)
  aws.faults.add({
    action: 'AllocateAddress',
    when: 'after',
    effect: { kind: 'error', code: 'InternalError', status: 500 },
  })
  await client.send(new AllocateAddressCommand({}))
  expect(await addresses()).toBe(2)
})

test('a jump of the clock advances everything that depends on time', async () => {
  const { aws, client } = setUp()
  const { subnetId } = await network.newNetwork(client)
  await network.newNatGateway(client, subnetId, await network.newAddress(client))
  const state = async () => (await client.send(new DescribeNatGatewaysCommand({}))).NatGateways?.[0]?.State
  expect(await state()).toBe('pending')
  aws.faults.add({ action: 'DescribeNatGateways', effect: { kind: 'clock-jump', milliseconds: 100_000 } })
  expect(await state()).toBe('available')
})

test('a storm throttles all matching calls while it lasts, and no others', async () => {
  const { aws, client, clock, addresses } = setUp()
  const vpcs = () => client.send(new DescribeVpcsCommand({}))
  aws.faults.add({ service: 'ec2', action: 'Describe*', lasts: 5_000, effect: { kind: 'throttle' } })
  expect(await failureOf(vpcs())).toMatchObject({ name: 'RequestLimitExceeded' })
  await client.send(new AllocateAddressCommand({}))
  await clock.advance(4_999)
  expect(await failureOf(addresses())).toMatchObject({ name: 'RequestLimitExceeded' })
  await clock.advance(1)
  expect(await addresses()).toBe(1)
})
