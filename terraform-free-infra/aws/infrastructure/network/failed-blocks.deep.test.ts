import { DescribeSubnetsCommand, DescribeVpcsCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws, failIpv6Blocks } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { countedBytes } from '../../../../sandbox/providers/aws/simulator/testing/counted-bytes.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { shootIn } from './testing/shoot.ts'
import { zonesOf } from './testing/zones.ts'

type DesiredParts = Partial<DesiredInfrastructure>
const managed = { kind: 'managed', cidr: '10.250.0.0/16', dedicatedTenancy: false } as const
const ipv4: DesiredParts = { vpc: { ...managed, ipv6: undefined }, zones: zonesOf(1) }
const both: DesiredParts = {
  ...ipv4,
  ipFamilies: ['IPv4', 'IPv6'],
  vpc: { ...managed, ipv6: { kind: 'amazon' } },
}
/** Only load balancers have IPv6. */
const ingress: DesiredParts = { ...both, ipFamilies: ['IPv4'] }

const message = 'The pool has no free range'

const setUp = (lag?: number) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({
    clock,
    bytes: countedBytes(),
    ec2: { durations: { scale: 1 }, defaultVpc: false },
    ...(lag !== undefined && { lag: { seed: lag, most: 60_000, services: ['ec2'] } }),
  })
  const fail = (of: 'vpc' | 'subnet', times: number) =>
    failIpv6Blocks(
      aws.account(),
      'eu-west-1',
      Array.from({ length: times }, () => ({ of, message: `${message}.` })),
    )
  return { aws, clock, fail, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>

/** Returns the working blocks of the VPC and its subnets. */
const blocks = async ({ ec2 }: Shoot) => {
  const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}))
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}))
  return [...Vpcs, ...Subnets].map(
    ({ Ipv6CidrBlockAssociationSet = [] }) =>
      Ipv6CidrBlockAssociationSet.filter(
        ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === 'associated',
      ).length,
  )
}

describe.each([
  // The request for the first block of a new VPC is repeated once.
  ['of a new shoot', undefined, 2],
  ['of a shoot with IPv4', ipv4, 1],
])('an IPv6 block of the VPC %s that AWS cannot associate', (_, before, failures) => {
  test('is an error with the reason of AWS, and works once the cause is gone', async () => {
    const shoot = setUp()
    if (before !== undefined) await shoot.reconcile(before)
    shoot.fail('vpc', failures)
    await expect(shoot.reconcile(both)).rejects.toThrow(
      /AWS could not associate an IPv6 CIDR block with VPC vpc-\w+: The pool has no free range\. Remove the cause in AWS/,
    )
    const { state } = await shoot.reconcile(both)
    expect(state.VPCIPv6CidrBlock).toMatch(/\/56$/)
    expect(await blocks(shoot)).toEqual([1, 1, 1, 1])
    expect(await shoot.planned(both)).toEqual([])
  })

  test('shows its reason in the plan', async () => {
    const shoot = setUp()
    if (before !== undefined) await shoot.reconcile(before)
    shoot.fail('vpc', failures)
    await expect(shoot.reconcile(both)).rejects.toThrow(message)
    expect(await shoot.changes(both)).toContainEqual({
      attribute: 'ipv6Failure',
      before: message,
      after: undefined,
    })
  })
})

describe.each([
  ['IPv4 and IPv6', both],
  ['dual-stack ingress', ingress],
])('an IPv6 block of a subnet that AWS cannot associate, with %s', (_, desired) => {
  test('is an error with the reason of AWS for an existing subnet', async () => {
    const shoot = setUp()
    await shoot.reconcile(ipv4)
    shoot.fail('subnet', 3)
    await expect(shoot.reconcile(desired)).rejects.toThrow(
      /AWS could not associate an IPv6 CIDR block with subnet subnet-\w+: The pool has no free range\./,
    )
    await shoot.reconcile(desired)
    expect(await blocks(shoot)).toEqual([1, 1, 1, 1])
    expect(await shoot.planned(desired)).toEqual([])
  })

  test('is requested again for a new subnet', async () => {
    const shoot = setUp()
    shoot.fail('subnet', 1)
    await shoot.reconcile(desired)
    expect(await blocks(shoot)).toEqual([1, 1, 1, 1])
    expect(await shoot.planned(desired)).toEqual([])
  })
})

test.each([1, 2, 3, 20, 68])(
  'a failed block is never replaced by two blocks while reads lag (seed %i)',
  async seed => {
    const shoot = setUp(seed)
    await shoot.attempt(ipv4)
    shoot.fail('vpc', 1)
    shoot.fail('subnet', 1)
    let attempts = 1
    for (; attempts < 10 && (await shoot.attempt(both)); attempts++) await shoot.clock.advance(10_000)
    expect(attempts).toBeLessThan(10)
    await shoot.clock.advance(400_000)
    expect(await blocks(shoot)).toEqual([1, 1, 1, 1])
    expect(await shoot.planned(both)).toEqual([])
  },
)
