import {
  CreateSubnetCommand,
  CreateTagsCommand,
  DeleteSubnetCommand,
  DescribeSubnetsCommand,
  DisassociateSubnetCidrBlockCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { mostAttempts } from '../../../account/client/most-attempts.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { convergeOver, desiredOf } from '../../testing/converge.ts'
import { shootIn } from '../testing/shoot.ts'
import { zonesOf } from '../testing/zones.ts'
import { withFreeBlock } from './free-range.ts'
import { blocksOfVpc, subnetBlock } from './ipv6-blocks.ts'

type DesiredParts = Partial<DesiredInfrastructure>
const managed = { kind: 'managed', cidr: '10.250.0.0/16', dedicatedTenancy: false } as const
const ipv4: DesiredParts = { vpc: { ...managed, ipv6: undefined } }
const both: DesiredParts = {
  ipFamilies: ['IPv4', 'IPv6'],
  vpc: { ...managed, ipv6: { kind: 'amazon' } },
}
const one = { zones: zonesOf(1) }
const two = { zones: zonesOf(2) }

/** `attempts`: those of the SDK for each call. */
const setUp = (attempts = 1) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  return { aws, clock, ...shootIn(aws, clock, attempts) }
}
type Shoot = ReturnType<typeof setUp>

const foreignSubnet = async ({ ec2, stored, writes }: Shoot, ranges: object): Promise<string> => {
  const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId: stored.state.VPC, ...ranges }))
  writes()
  return Subnet?.SubnetId ?? ''
}
const names = async ({ ec2 }: Shoot) =>
  ((await ec2.send(new DescribeSubnetsCommand({}))).Subnets ?? []).map(
    ({ Tags = [] }) => Tags.find(({ Key }) => Key === 'Name')?.Value,
  )
const count = (writes: readonly string[], action: string) => writes.filter(one => one === action).length

describe.each([
  ['IPv4', ipv4],
  ['IPv4 and IPv6', both],
])('a subnet with a range of %s that another owner has', (_, families) => {
  test('is refused with one error that names the field and the other subnet', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile({ ...families, ...one })
    const other = await foreignSubnet(shoot, { CidrBlock: '10.250.100.0/22' })
    await expect(shoot.reconcile({ ...families, ...two })).rejects.toThrow(
      `spec.providerConfig.networks.zones[1].public: expected an unused CIDR of ${state.VPC}, found 10.250.100.0/22, which overlaps with ${other} (10.250.100.0/22)`,
    )
    // Those of the zone: workers, internal, and once the refused one.
    expect(count(shoot.writes(), 'CreateSubnet')).toBe(3)
  })

  test('that overlaps only partly is refused as well', async () => {
    const shoot = setUp()
    await shoot.reconcile({ ...families, ...one })
    const other = await foreignSubnet(shoot, { CidrBlock: '10.250.102.0/24' })
    await expect(shoot.reconcile({ ...families, ...two })).rejects.toThrow(
      `found 10.250.100.0/22, which overlaps with ${other} (10.250.102.0/24)`,
    )
  })

  test('is created once the other subnet is gone', async () => {
    const shoot = setUp()
    const desired = { ...families, ...two }
    await shoot.reconcile({ ...families, ...one })
    const SubnetId = await foreignSubnet(shoot, { CidrBlock: '10.250.100.0/22' })
    await expect(shoot.reconcile(desired)).rejects.toThrow(SubnetId)
    await shoot.ec2.send(new DeleteSubnetCommand({ SubnetId }))
    await shoot.reconcile(desired)
    expect(await shoot.planned(desired)).toEqual([])
  })

  test('waits for a subnet of the shoot, because that one may be in deletion', async () => {
    const shoot = setUp()
    await shoot.reconcile({ ...families, ...one })
    const id = await foreignSubnet(shoot, { CidrBlock: '10.250.100.0/22' })
    const Tags = [{ Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' }]
    await shoot.ec2.send(new CreateTagsCommand({ Resources: [id], Tags }))
    shoot.writes()
    await expect(shoot.reconcile({ ...families, ...two })).rejects.toThrow('InvalidSubnet.Conflict')
    // A wait of ten minutes, with one call in each step.
    expect(count(shoot.writes(), 'CreateSubnet')).toBeLessThan(60)
  })
})

describe('a /64 block of another owner', () => {
  const blocksInUse = async ({ ec2 }: Shoot) =>
    ((await ec2.send(new DescribeSubnetsCommand({}))).Subnets ?? []).flatMap(
      ({ Ipv6CidrBlockAssociationSet: [block] = [] }) => block?.Ipv6CidrBlock ?? [],
    )
  /** Takes these blocks of the VPC. */
  const take = async (shoot: Shoot, indexes: readonly number[]) => {
    const vpc = shoot.stored.state.VPCIPv6CidrBlock ?? ''
    for (const index of indexes) {
      const CidrBlock = `10.250.${200 + (index >> 4)}.${16 * (index & 15)}/28`
      await foreignSubnet(shoot, { CidrBlock, Ipv6CidrBlock: subnetBlock(vpc, index) })
    }
  }
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index)

  test.each([
    ['the next one', from(3, 3)],
    ['many in a row', from(3, 60)],
    ['all later ones', from(6, blocksOfVpc - 1)],
  ])('is passed over without a call for each block: %s', async (_, taken) => {
    const shoot = setUp()
    await shoot.reconcile({ ...both, ...one })
    await take(shoot, taken)
    const desired = { ...both, ...two }
    await shoot.reconcile(desired)
    expect(count(shoot.writes(), 'CreateSubnet')).toBeLessThanOrEqual(3 * mostAttempts)
    const used = await blocksInUse(shoot)
    expect(new Set(used).size).toBe(used.length)
    expect(await shoot.planned(desired)).toEqual([])
  })

  test('is passed over when an existing subnet gets a block', async () => {
    const shoot = setUp()
    const desired = { ...both, ...one }
    const { state } = await shoot.reconcile(desired)
    const SubnetIds = [state['Zones/eu-west-1a/SubnetPublicUtility'] ?? '']
    const { Subnets: [subnet] = [] } = await shoot.ec2.send(new DescribeSubnetsCommand({ SubnetIds }))
    const { AssociationId } = subnet?.Ipv6CidrBlockAssociationSet?.[0] ?? {}
    await shoot.ec2.send(new DisassociateSubnetCidrBlockCommand({ AssociationId }))
    await shoot.clock.advance(10_000)
    await take(shoot, [2])
    await shoot.reconcile(desired)
    expect(count(shoot.writes(), 'AssociateSubnetCidrBlock')).toBe(2)
    const used = await blocksInUse(shoot)
    expect(new Set(used).size).toBe(used.length)
    expect(await shoot.planned(desired)).toEqual([])
  })

  test('is an error that names the VPC if there is no other', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile({ ...both, ...one })
    await take(shoot, from(3, blocksOfVpc - 1))
    await expect(shoot.reconcile({ ...both, ...two })).rejects.toThrow(
      `the VPC ${state.VPC} has no free /64 in its IPv6 CIDR block ${state.VPCIPv6CidrBlock}`,
    )
    expect(count(shoot.writes(), 'CreateSubnet')).toBeLessThanOrEqual(3)
  })
})

describe('a conflict that no list explains', () => {
  test.each([
    ['an IPv4 range', "The CIDR '10.250.100.0/22' conflicts with another subnet"],
    ['another block', "The CIDR '2600:1f18:1234:56ff::/64' conflicts with another subnet"],
    ['the block', "The CIDR '2600:1f18:1234:5600::/64' conflicts with another subnet"],
    ['no range', 'The range conflicts with another subnet'],
  ])('is not retried with another block, because the subnet may be ours: it names %s', async (_, text) => {
    const { clock, aws } = setUp()
    const { cloud } = convergeOver(aws.requestHandler, clock)
    const call = { cloud, signal: new AbortController().signal, throwIfExpired: () => undefined }
    const vpc = { id: 'vpc-1', ipv6: '2600:1f18:1234:5600::/56' }
    let attempts = 0
    const attempt = async (): Promise<never> => {
      attempts++
      throw new AwsError('CreateSubnet', { code: 'InvalidSubnet.Conflict', status: 400, said: text })
    }
    await expect(withFreeBlock(call, desiredOf(), { vpc, first: 0 }, attempt)).rejects.toThrow(text)
    expect(attempts).toBe(1)
  })

  test('creates no second IPv6-only subnet after a lost answer', async () => {
    const shoot = setUp(2)
    const desired: DesiredParts = {
      ...both,
      ipFamilies: ['IPv6'],
      zones: zonesOf(1, { workers: undefined }),
    }
    shoot.aws.faults.add({ action: 'CreateSubnet', when: 'after', times: 3, effect: { kind: 'drop' } })
    await shoot.reconcile(desired)
    expect(new Set(await names(shoot)).size).toBe((await names(shoot)).length)
    expect(await shoot.planned(desired)).toEqual([])
  })
})
