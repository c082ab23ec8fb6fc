import {
  DescribeAddressesCommand,
  DescribeInternetGatewaysCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { withoutMemory } from '../../../engine/engine.ts'
import { shootIn } from './testing/shoot.ts'
import { zonesOf } from './testing/zones.ts'

const two = { zones: zonesOf(2) }

const setUp = (visibleAfter = 0, attempts = 1) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false, visibleAfter } })
  return { aws, clock, ...shootIn(aws, clock, attempts) }
}
type Shoot = ReturnType<typeof setUp>

const counts = async ({ ec2, clock }: Shoot) => {
  await clock.advance(60_000)
  const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}))
  const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}))
  return { vpcs: Vpcs.length, addresses: Addresses.length }
}

test('a created resource that AWS does not show everywhere yet is waited for and never created twice', async () => {
  const shoot = setUp(3_000)
  await shoot.reconcile(two)
  expect(await counts(shoot)).toEqual({ vpcs: 1, addresses: 2 })
  expect(await shoot.planned(two)).toEqual([])
  expect(withoutMemory((await shoot.remove(two)).state)).toEqual({})
  expect(await counts(shoot)).toEqual({ vpcs: 0, addresses: 0 })
})

describe('after a lost response to', () => {
  test.each([
    'CreateDhcpOptions',
    'CreateVpc',
    'CreateInternetGateway',
    'AttachInternetGateway',
    'CreateRouteTable',
    'CreateRoute',
    'CreateSubnet',
    'AllocateAddress',
    'CreateNatGateway',
    'AssociateRouteTable',
    'CreateSecurityGroup',
    'AuthorizeSecurityGroupIngress',
    'ModifyVpcAttribute',
    'AssociateDhcpOptions',
    'RevokeSecurityGroupEgress',
  ])('%s, the next attempts find the result and create nothing twice', async action => {
    const shoot = setUp()
    shoot.aws.faults.add({ action, when: 'after', effect: { kind: 'drop' } })
    for (let attempt = 0; attempt < 3; attempt++) {
      const failed = await shoot.attempt(two)
      if (!failed) break
    }
    expect(await shoot.planned(two)).toEqual([])
    expect(await counts(shoot)).toEqual({ vpcs: 1, addresses: 2 })
    const made = shoot.writes().filter(name => name === action).length
    const plain = setUp()
    await plain.reconcile(two)
    const usual = plain.writes().filter(name => name === action).length
    // Only calls without a second effect may be repeated.
    expect(made).toBeLessThanOrEqual(/^(?:Create|Allocate)/.test(action) ? usual : usual + 1)
    await shoot.remove(two)
    expect(await counts(shoot)).toEqual({ vpcs: 0, addresses: 0 })
  })
})

test.each(['CreateVpc', 'AllocateAddress', 'DetachInternetGateway', 'DeleteVpc'])(
  'after the SDK repeated %s without a response, nothing is there twice, and a deletion leaves nothing',
  async action => {
    const shoot = setUp(0, 2)
    shoot.aws.faults.add({ action, when: 'after', effect: { kind: 'drop' } })
    await shoot.reconcile(two)
    expect(await counts(shoot)).toEqual({ vpcs: 1, addresses: 2 })
    await shoot.remove(two)
    const { InternetGateways } = await shoot.ec2.send(new DescribeInternetGatewaysCommand({}))
    expect([await counts(shoot), InternetGateways]).toEqual([{ vpcs: 0, addresses: 0 }, []])
  },
)
