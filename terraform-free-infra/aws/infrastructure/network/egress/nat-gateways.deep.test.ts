import {
  AllocateAddressCommand,
  CreateNatGatewayCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failNatGateways } from '../../../../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { shootIn } from '../testing/shoot.ts'
import { zonesOf } from '../testing/zones.ts'

const zone = 'Zones/eu-west-1a'
const failure = { code: 'InternalError', message: 'Network interface has some internal error' }
const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  return { aws, clock, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>

const ownAddress = async ({ ec2 }: Shoot): Promise<string> =>
  (await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId ?? ''
const addressIds = async ({ ec2 }: Shoot) =>
  ((await ec2.send(new DescribeAddressesCommand({}))).Addresses ?? []).map(({ AllocationId }) => AllocationId)
const withAddress = (elasticIp: string) => ({ zones: zonesOf(1, { elasticIp }) })

describe('a NAT gateway', () => {
  test('that fails during the wait is reported with the AWS message, and the next attempt creates another', async () => {
    const shoot = setUp()
    failNatGateways(shoot.aws.account(), 'eu-west-1', [failure])
    await expect(shoot.reconcile()).rejects.toThrow(
      /wait for NAT gateway eu-west-1a to become available: InternalError: Network interface has some internal error/,
    )
    await shoot.reconcile()
    const { NatGateways = [] } = await shoot.ec2.send(new DescribeNatGatewaysCommand({}))
    expect(NatGateways.filter(({ State }) => State === 'available')).toHaveLength(1)
    expect(await shoot.planned()).toEqual([])
  })

  test('moves to the address that the user provides, and the managed one is released', async () => {
    const shoot = setUp()
    await shoot.reconcile()
    const managed = shoot.stored.state[`${zone}/NATGatewayElasticIP`]
    const given = await ownAddress(shoot)
    const { state } = await shoot.reconcile(withAddress(given))
    expect(await addressIds(shoot)).toEqual([given])
    expect(state).not.toHaveProperty([`${zone}/NATGatewayElasticIP`])
    expect(managed).not.toBe(given)
    const { NatGateways = [] } = await shoot.ec2.send(
      new DescribeNatGatewaysCommand({ NatGatewayIds: [state[`${zone}/NATGateway`] ?? ''] }),
    )
    expect(NatGateways[0]?.NatGatewayAddresses?.[0]?.AllocationId).toBe(given)
    expect(await shoot.planned(withAddress(given))).toEqual([])
  })

  test('moves from one provided address to another, and both stay the user’s', async () => {
    const shoot = setUp()
    const [first, second] = [await ownAddress(shoot), await ownAddress(shoot)]
    await shoot.reconcile(withAddress(first))
    expect(await shoot.planned(withAddress(second))).toContain('replace NAT gateway eu-west-1a')
    await shoot.reconcile(withAddress(second))
    await shoot.remove(withAddress(second))
    expect((await addressIds(shoot)).toSorted()).toEqual([first, second].toSorted())
  })

  test('keeps a managed address that the user then provides, and the address outlives the shoot', async () => {
    const shoot = setUp()
    const pinned = (await shoot.reconcile()).state[`${zone}/NATGatewayElasticIP`] ?? ''
    shoot.writes()
    await shoot.reconcile(withAddress(pinned))
    expect(shoot.writes()).not.toContain('DeleteNatGateway')
    await shoot.remove(withAddress(pinned))
    expect(await addressIds(shoot)).toEqual([pinned])
  })

  test('gets a managed address if the provided one is removed', async () => {
    const shoot = setUp()
    const given = await ownAddress(shoot)
    await shoot.reconcile(withAddress(given))
    const { state } = await shoot.reconcile()
    expect(state[`${zone}/NATGatewayElasticIP`]).toMatch(/^eipalloc-/)
    expect(await addressIds(shoot)).toHaveLength(2)
  })
})

test('the egress CIDRs include all zones, and change with the address of a gateway', async () => {
  const shoot = setUp()
  const three = { zones: zonesOf(3) }
  const before = (await shoot.reconcile(three)).state.EgressCIDRs ?? ''
  expect(before).toMatch(/^([\d.]+\/32,){2}[\d.]+\/32$/)
  // The order in which another program has written them does not matter.
  shoot.stored.state = { ...shoot.stored.state, EgressCIDRs: before.split(',').reverse().join(',') }
  expect(await shoot.planned(three)).toEqual([])

  const given = await ownAddress(shoot)
  const [first, ...others] = three.zones.zones
  const moved = { zones: { ...three.zones, zones: first ? [{ ...first, elasticIp: given }, ...others] : [] } }
  const { Addresses: [address] = [] } = await shoot.ec2.send(
    new DescribeAddressesCommand({ AllocationIds: [given] }),
  )
  const after = (await shoot.reconcile(moved)).state.EgressCIDRs?.split(',') ?? []
  expect(after).toHaveLength(3)
  expect(after).toContain(`${address?.PublicIp}/32`)
})

test('addresses of other NAT gateways with the tag of the cluster are also egress CIDRs, and remain so', async () => {
  const shoot = setUp()
  const { state } = await shoot.reconcile()
  const made = await shoot.ec2.send(
    new CreateNatGatewayCommand({
      SubnetId: state[`${zone}/SubnetPublicUtility`],
      AllocationId: await ownAddress(shoot),
      TagSpecifications: [
        {
          ResourceType: 'natgateway',
          Tags: [{ Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'shared' }],
        },
      ],
    }),
  )
  await shoot.clock.advance(200_000)
  const NatGatewayIds = [made.NatGateway?.NatGatewayId ?? '']
  const { NatGateways = [] } = await shoot.ec2.send(new DescribeNatGatewaysCommand({ NatGatewayIds }))
  const other = `${NatGateways[0]?.NatGatewayAddresses?.[0]?.PublicIp}/32`
  shoot.writes()
  expect((await shoot.reconcile()).state.EgressCIDRs).toBe(`${state.EgressCIDRs},${other}`)
  expect(shoot.writes()).toEqual([])

  const given = await ownAddress(shoot)
  const moved = (await shoot.reconcile(withAddress(given))).state.EgressCIDRs?.split(',')
  expect(moved).toHaveLength(2)
  expect(moved).toContain(other)
})

describe('a second NAT gateway with the name and tags of a zone', () => {
  const secondGateway = async (shoot: Shoot, state: Readonly<Record<string, string>>): Promise<string> => {
    const { NatGateway } = await shoot.ec2.send(
      new CreateNatGatewayCommand({
        SubnetId: state[`${zone}/SubnetPublicUtility`],
        AllocationId: await ownAddress(shoot),
        TagSpecifications: [
          {
            ResourceType: 'natgateway',
            Tags: [
              { Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' },
              { Key: 'Name', Value: 'shoot--foo--bar-natgw-z0' },
            ],
          },
        ],
      }),
    )
    await shoot.clock.advance(200_000)
    return NatGateway?.NatGatewayId ?? ''
  }
  const cidrOfGateway = async ({ ec2 }: Shoot, id: string): Promise<string> => {
    const { NatGateways = [] } = await ec2.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [id] }))
    return `${NatGateways[0]?.NatGatewayAddresses?.[0]?.PublicIp}/32`
  }

  test('is an egress of the user besides the one in the state', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile()
    const second = await secondGateway(shoot, state)
    const expected = `${state.EgressCIDRs},${await cidrOfGateway(shoot, second)}`
    shoot.writes()
    const after = await shoot.reconcile()
    expect(after.waits).toEqual([])
    expect(after.state.EgressCIDRs).toBe(expected)
    expect(after.state[`${zone}/NATGateway`]).toBe(state[`${zone}/NATGateway`])
    expect(after.left.map(({ id }) => id)).toContain(second)
    expect(shoot.writes()).toEqual([])
    expect(await shoot.planned()).toEqual([])
  })

  test('is adopted or stays an egress of the user if the first one is not in the state', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile()
    const second = await secondGateway(shoot, state)
    const { [`${zone}/NATGateway`]: first = '', EgressCIDRs: _, ...rest } = state
    shoot.stored.state = rest
    const after = await shoot.reconcile()
    expect([first, second]).toContain(after.state[`${zone}/NATGateway`])
    expect(after.state.EgressCIDRs?.split(',').toSorted()).toEqual(
      [await cidrOfGateway(shoot, first), await cidrOfGateway(shoot, second)].toSorted(),
    )
    expect(await shoot.planned()).toEqual([])
  })
})
