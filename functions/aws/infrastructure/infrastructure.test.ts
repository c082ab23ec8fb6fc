import { describe, expect, test } from 'vitest'
import { createAws } from '../../../sandbox/aws/simulator.ts'
import { virtualClock } from '../../../shared/clock/virtual-clock.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/client/request-handler.ts'
import { accountContents, withoutIds } from './account-contents.testing.ts'
import { failureOf } from './failure.testing.ts'
import { type ObjectParts, zones } from './objects.testing.ts'
import { secretAccessKey, stepsOver } from './steps.testing.ts'

/** An account in which AWS takes as long as it does, on a virtual clock, and a seed with one Infrastructure. */
const setUp = async (parts: ObjectParts = {}, scale = 1) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale } } })
  const handler: AwsRequestHandler = aws.requestHandler
  const before = await accountContents(handler)
  aws.calls.clear()
  return { aws, clock, handler, before, ...stepsOver(handler, clock, parts) }
}

const isWrite = (action: string): boolean => !/^(?:Describe|Get|List)/.test(action)
const writesOf = ({ aws }: Awaited<ReturnType<typeof setUp>>): readonly string[] =>
  aws.calls
    .all()
    .map(({ action }) => action)
    .filter(isWrite)

describe.each([1, 3])('a shoot with %i zones', count => {
  test('is made, is left alone, and goes without a trace', async () => {
    const seed = await setUp({ zones: zones(count) })
    const { aws, clock, before, handler, until, status } = seed
    const start = clock.now()
    await until('reconcile')
    console.log(`create ${count}: ${aws.calls.all().length} calls, ${clock.now() - start} ms`)
    expect(aws.calls.all().length).toBeLessThanOrEqual(count === 1 ? 55 : 75)
    const made = status()

    aws.calls.clear()
    await until('reconcile')
    expect(writesOf(seed)).toEqual([])
    expect(aws.calls.all().length).toBeLessThanOrEqual(15)
    expect(status()).toEqual(made)

    aws.calls.clear()
    const end = clock.now()
    await until('remove')
    console.log(`delete ${count}: ${aws.calls.all().length} calls, ${clock.now() - end} ms`)
    expect(aws.calls.all().length).toBeLessThanOrEqual(count === 1 ? 42 : 60)
    expect(await accountContents(handler)).toEqual(before)
  })
})

test('nothing that was never made is looked for', async () => {
  const { aws, until, saves } = await setUp()
  await until('remove')
  expect(aws.calls.all()).toEqual([])
  expect(saves).toEqual([])
})

test('without credentials nobody can say that nothing was made', async () => {
  const { step } = await setUp()
  const error = await failureOf(step('remove', {}, { secret: { token: 'x' } }))
  expect(error).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
})

test('no secret is logged or written down', async () => {
  const { until, lines, saves, status } = await setUp()
  await until('reconcile')
  const all = JSON.stringify([lines, saves, status()])
  expect(all).not.toContain(secretAccessKey)
  expect(all).toContain('VPC')
})

test('contents', async () => {
  const { until, handler } = await setUp()
  await until('reconcile')
  expect(withoutIds(await accountContents(handler))).toMatchInlineSnapshot(`
    [
      "DHCP options",
      "DHCP options shoot--foo--bar",
      "NAT gateway shoot--foo--bar-natgw-z0",
      "VPC",
      "VPC shoot--foo--bar",
      "address shoot--foo--bar-eip-natgw-z0",
      "internet gateway",
      "internet gateway shoot--foo--bar",
      "key pair shoot--foo--bar-ssh-publickey shoot--foo--bar",
      "profile shoot--foo--bar-nodes",
      "role shoot--foo--bar-nodes",
      "route table",
      "route table",
      "route table shoot--foo--bar",
      "route table shoot--foo--bar-private-eu-west-1a",
      "security group",
      "security group",
      "security group shoot--foo--bar-nodes",
      "subnet",
      "subnet",
      "subnet",
      "subnet shoot--foo--bar-nodes-z0",
      "subnet shoot--foo--bar-private-utility-z0",
      "subnet shoot--foo--bar-public-utility-z0",
    ]
  `)
})
