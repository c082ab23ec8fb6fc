import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  DescribeSecurityGroupsCommand,
  type IpPermission,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { shootIn } from '../testing/shoot.ts'
import { zonesOf } from '../testing/zones.ts'

/** "The quota for rules per security group" of a new account: 60 in each direction ("Amazon VPC quotas"). */
const mostRules = 60

const desired = { zones: zonesOf(3) }

const setUp = async (attempts = 1) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { defaultVpc: false, limits: { rules: mostRules } } })
  const shoot = shootIn(aws, clock, attempts)
  await shoot.reconcile(desired)
  const { ec2, stored } = shoot
  const GroupId = stored.state.NodesSecurityGroup
  const group = async () =>
    (await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [GroupId ?? ''] }))).SecurityGroups?.[0]
  const letIn = (...IpPermissions: IpPermission[]) =>
    ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions }))
  const letOut = (...IpPermissions: IpPermission[]) =>
    ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId, IpPermissions }))
  const shutOut = (...IpPermissions: IpPermission[]) =>
    ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId, IpPermissions }))
  const shutIn = (...IpPermissions: IpPermission[]) =>
    ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId, IpPermissions }))
  const countOf = (permissions: readonly IpPermission[] = []) =>
    permissions.flatMap(({ IpRanges = [], UserIdGroupPairs = [] }) => [...IpRanges, ...UserIdGroupPairs])
      .length
  const counts = async () => {
    const { IpPermissions, IpPermissionsEgress } = (await group()) ?? {}
    return { ingress: countOf(IpPermissions), egress: countOf(IpPermissionsEgress) }
  }
  aws.calls.clear()
  return { ...shoot, aws, group, letIn, letOut, shutOut, shutIn, counts }
}

const ports = (IpProtocol: string, cidrs: readonly string[], from = 30_000, to = 32_767): IpPermission => ({
  IpProtocol,
  FromPort: from,
  ToPort: to,
  IpRanges: cidrs.map(CidrIp => ({ CidrIp })),
})
const foreign = (count: number) =>
  ports(
    'tcp',
    Array.from({ length: count }, (_, index) => `198.51.100.${index}/32`),
    443,
    443,
  )
const former = ['10.250.200.0/22', '10.250.204.0/22']
const current = ['10.250.112.0/22', '10.250.96.0/22']

describe('a full group of the nodes', () => {
  test('gets its missing rules in the place of former ones, and others retain theirs', async () => {
    const shoot = await setUp()
    await shoot.shutOut(ports('tcp', current), ports('udp', current))
    await shoot.letIn(ports('tcp', former), ports('udp', former))
    await shoot.letIn(foreign(mostRules - (await shoot.counts()).ingress))
    expect((await shoot.counts()).ingress).toBe(mostRules)
    shoot.writes()
    await shoot.reconcile(desired)
    expect(shoot.writes()).toEqual([
      'AuthorizeSecurityGroupIngress',
      'RevokeSecurityGroupIngress',
      'AuthorizeSecurityGroupIngress',
    ])
    const tcp = (await shoot.group())?.IpPermissions?.find(
      ({ FromPort, IpProtocol }) => FromPort === 30_000 && IpProtocol === 'tcp',
    )
    const cidrs = tcp?.IpRanges?.map(({ CidrIp }) => CidrIp)
    expect(cidrs).toEqual(expect.arrayContaining(current))
    expect(cidrs).not.toEqual(expect.arrayContaining([former[0]]))
    expect(await shoot.planned(desired)).toEqual([])
  })

  test('loses former rules even if there is no room for all missing ones, and the failure is reported', async () => {
    const shoot = await setUp()
    await shoot.shutOut(ports('tcp', current), ports('udp', current))
    await shoot.letIn(ports('tcp', former))
    await shoot.letIn(foreign(mostRules - (await shoot.counts()).ingress))
    await expect(shoot.reconcile(desired)).rejects.toThrow('RulesPerSecurityGroupLimitExceeded')
    expect((await shoot.counts()).ingress).toBe(mostRules - former.length)
  })

  test('loses a former way out although a missing way in is refused', async () => {
    const shoot = await setUp()
    await shoot.shutOut(ports('tcp', current))
    await shoot.letIn(foreign(mostRules - (await shoot.counts()).ingress))
    // As for EFA, which is no longer desired.
    await shoot.letOut({
      IpProtocol: '-1',
      UserIdGroupPairs: [{ GroupId: shoot.stored.state.NodesSecurityGroup }],
    })
    await expect(shoot.reconcile(desired)).rejects.toThrow('RulesPerSecurityGroupLimitExceeded')
    expect((await shoot.counts()).egress).toBe(1)
  })

  test('gets a missing way out in the place of a former one', async () => {
    const shoot = await setUp()
    await shoot.shutIn({ IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] })
    await shoot.letOut({
      IpProtocol: '-1',
      UserIdGroupPairs: [{ GroupId: shoot.stored.state.NodesSecurityGroup }],
    })
    await shoot.letOut(foreign(mostRules - 1))
    await shoot.reconcile(desired)
    expect((await shoot.counts()).egress).toBe(mostRules)
    expect(await shoot.planned(desired)).toEqual([])
  })
})

test('a group with room gets its missing rules before it loses former ones', async () => {
  const shoot = await setUp()
  await shoot.shutOut(ports('tcp', current))
  await shoot.letIn(ports('tcp', former))
  shoot.writes()
  await shoot.reconcile(desired)
  expect(shoot.writes()).toEqual(['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress'])
})

test.each(['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'RevokeSecurityGroupEgress'])(
  'a %s that the SDK repeats without an answer changes the same rules, and the step goes on',
  async action => {
    const shoot = await setUp(2)
    await shoot.shutOut(ports('tcp', current))
    await shoot.letIn(ports('udp', former))
    await shoot.letOut({
      IpProtocol: '-1',
      UserIdGroupPairs: [{ GroupId: shoot.stored.state.NodesSecurityGroup }],
    })
    shoot.aws.faults.add({ action, when: 'after', effect: { kind: 'drop' } })
    expect((await shoot.reconcile(desired)).waits).toEqual([])
    expect(await shoot.planned(desired)).toEqual([])
  },
)

test('a group in a VPC with IPv6 is created once, even if EC2 does not show it at first', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { defaultVpc: false, visibleAfter: 6_000 } })
  const shoot = shootIn(aws, clock)
  const ipv6 = { kind: 'amazon' as const }
  const vpc = { kind: 'managed' as const, cidr: '10.250.0.0/16', dedicatedTenancy: false, ipv6 }
  await shoot.reconcile({ ...desired, vpc, ipFamilies: ['IPv4', 'IPv6'] })
  expect(aws.calls.all().filter(({ errorCode }) => errorCode === 'InvalidGroup.Duplicate')).toEqual([])
  expect(shoot.writes().filter(action => action === 'CreateSecurityGroup')).toHaveLength(1)
  await clock.advance(60_000)
  expect(await shoot.planned({ ...desired, vpc, ipFamilies: ['IPv4', 'IPv6'] })).toEqual([])
})
