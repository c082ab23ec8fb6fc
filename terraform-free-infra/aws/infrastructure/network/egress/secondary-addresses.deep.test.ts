import {
  AllocateAddressCommand,
  AssociateNatGatewayAddressCommand,
  CreateNatGatewayCommand,
  CreateTagsCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DisassociateNatGatewayAddressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { shootIn } from '../testing/shoot.ts'
import { zonesOf } from '../testing/zones.ts'

const zone = 'Zones/eu-west-1a'
const cluster = 'kubernetes.io/cluster/shoot--foo--bar'

const setUp = (options: Partial<Parameters<typeof createAws>[0]> = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false }, ...options })
  return { aws, clock, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>

const addressesOf = async ({ ec2 }: Shoot, gateway: string | undefined) => {
  const command = new DescribeNatGatewaysCommand({ NatGatewayIds: [gateway ?? ''] })
  return (await ec2.send(command)).NatGateways?.[0]?.NatGatewayAddresses ?? []
}
const isAllocated = async ({ ec2 }: Shoot, id: string | undefined): Promise<boolean> => {
  const Filters = [{ Name: 'allocation-id', Values: [id ?? ''] }]
  return ((await ec2.send(new DescribeAddressesCommand({ Filters }))).Addresses ?? []).length === 1
}

const allocate = async ({ ec2 }: Shoot): Promise<string> =>
  (await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId ?? ''

/** Allocates an address that AWS lists before or after another one: the simulator lists them by id. */
const allocateBeside = async (shoot: Shoot, other: string, place: 'before' | 'after'): Promise<string> => {
  for (;;) {
    const id = await allocate(shoot)
    if (id < other === (place === 'before')) return id
  }
}

/** Adds an address of the user to a gateway. */
const addTo = async (shoot: Shoot, NatGatewayId: string | undefined, place: 'before' | 'after') => {
  const primary = (await addressesOf(shoot, NatGatewayId)).find(({ IsPrimary }) => IsPrimary)
  const added = await allocateBeside(shoot, primary?.AllocationId ?? '', place)
  await shoot.ec2.send(new AssociateNatGatewayAddressCommand({ NatGatewayId, AllocationIds: [added] }))
  await shoot.clock.advance(10_000)
  shoot.writes()
  return added
}

const cidrsOf = async (shoot: Shoot, gateway: string | undefined) =>
  (await addressesOf(shoot, gateway)).map(({ PublicIp }) => `${PublicIp}/32`).toSorted()

describe.each(['before', 'after'] as const)(
  'an address of the user, listed %s that of the gateway',
  place => {
    test('is an egress, and neither it nor the gateway is changed', async () => {
      const shoot = setUp()
      const { state } = await shoot.reconcile()
      const gateway = state[`${zone}/NATGateway`]
      await addTo(shoot, gateway, place)
      const after = await shoot.reconcile()
      expect(shoot.writes()).toEqual([])
      expect(after.state).toEqual({ ...state, EgressCIDRs: after.state.EgressCIDRs })
      expect(after.state.EgressCIDRs?.split(',').toSorted()).toEqual(await cidrsOf(shoot, gateway))
      expect(after.left).toEqual([])
      expect(await shoot.planned()).toEqual([])
    })

    test('does not make a gateway differ that has an address of the config', async () => {
      const shoot = setUp()
      const desired = { zones: zonesOf(1, { elasticIp: await allocate(shoot) }) }
      const { state } = await shoot.reconcile(desired)
      await addTo(shoot, state[`${zone}/NATGateway`], place)
      expect((await shoot.reconcile(desired)).state.EgressCIDRs?.split(',')).toHaveLength(2)
      expect(shoot.writes()).toEqual([])
    })

    test('is no egress any more once it has left the gateway', async () => {
      const shoot = setUp()
      const { state } = await shoot.reconcile()
      const NatGatewayId = state[`${zone}/NATGateway`]
      const added = await addTo(shoot, NatGatewayId, place)
      await shoot.reconcile()
      const all = await addressesOf(shoot, NatGatewayId)
      const AssociationIds = all.flatMap(({ AllocationId, AssociationId }) =>
        AllocationId === added ? (AssociationId ?? []) : [],
      )
      await shoot.ec2.send(new DisassociateNatGatewayAddressCommand({ NatGatewayId, AssociationIds }))
      // Until its connections have drained, traffic still comes from it.
      expect((await shoot.reconcile()).state.EgressCIDRs?.split(',')).toHaveLength(2)
      await shoot.clock.advance(350_000)
      expect((await shoot.reconcile()).state.EgressCIDRs).toBe(state.EgressCIDRs)
    })

    test('stays allocated when the gateway is deleted', async () => {
      const shoot = setUp()
      const { state } = await shoot.reconcile()
      const added = await addTo(shoot, state[`${zone}/NATGateway`], place)
      await shoot.reconcile()
      await shoot.remove()
      expect(await isAllocated(shoot, added)).toBe(true)
      expect(await isAllocated(shoot, state[`${zone}/NATGatewayElasticIP`])).toBe(false)
    })

    test('stays allocated with the tags of the cluster, also if the state is lost', async () => {
      const shoot = setUp()
      const { state } = await shoot.reconcile()
      const { [`${zone}/NATGatewayElasticIP`]: primary, ...rest } = state
      const added = await addTo(shoot, state[`${zone}/NATGateway`], place)
      const Tags = [
        { Key: cluster, Value: 'owned' },
        { Key: 'Name', Value: 'shoot--foo--bar-eip-natgw-z0' },
      ]
      await shoot.ec2.send(new CreateTagsCommand({ Resources: [added], Tags }))
      shoot.stored.state = rest
      const after = await shoot.reconcile()
      expect(after.state[`${zone}/NATGatewayElasticIP`]).toBe(primary)
      expect(after.state[`${zone}/NATGateway`]).toBe(state[`${zone}/NATGateway`])
      await shoot.remove()
      expect(await isAllocated(shoot, added)).toBe(true)
    })

    test('of another gateway with the tag of the cluster is an egress', async () => {
      const shoot = setUp()
      const { state } = await shoot.reconcile()
      const Tags = [{ Key: cluster, Value: 'shared' }]
      const { NatGateway } = await shoot.ec2.send(
        new CreateNatGatewayCommand({
          SubnetId: state[`${zone}/SubnetPublicUtility`],
          AllocationId: await allocate(shoot),
          TagSpecifications: [{ ResourceType: 'natgateway', Tags }],
        }),
      )
      await shoot.clock.advance(200_000)
      await addTo(shoot, NatGateway?.NatGatewayId, place)
      const others = await cidrsOf(shoot, NatGateway?.NatGatewayId)
      expect(others).toHaveLength(2)
      expect((await shoot.reconcile()).state.EgressCIDRs?.split(',').toSorted()).toEqual(
        [...others, state.EgressCIDRs].toSorted(),
      )
      expect(shoot.writes()).toEqual([])
    })
  },
)

test('a gateway of the user remains an egress when one list lacks it', async () => {
  const pages = { seed: 3, most: 1, repeated: 0, omitted: 1, omittedAgain: false }
  const shoot = setUp({ pages })
  const { state } = await shoot.reconcile()
  await shoot.ec2.send(
    new CreateNatGatewayCommand({
      SubnetId: state[`${zone}/SubnetPublicUtility`],
      AllocationId: await allocate(shoot),
      TagSpecifications: [{ ResourceType: 'natgateway', Tags: [{ Key: cluster, Value: 'shared' }] }],
    }),
  )
  await shoot.clock.advance(200_000)
  const seen = new Set<number>()
  for (let round = 0; round < 12; round++) {
    const { EgressCIDRs = '' } = (await shoot.reconcile()).state
    seen.add(EgressCIDRs.split(',').length)
    if (seen.has(2)) expect(EgressCIDRs.split(',')).toHaveLength(2)
  }
  expect(seen.has(2)).toBe(true)
})
