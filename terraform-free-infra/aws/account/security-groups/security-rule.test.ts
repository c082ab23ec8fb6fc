import { expect, test } from 'vitest'
import { permissionOf, referredGroup, ruleName, ruleOf, rulesOf, without } from './security-rule.ts'

const group = {
  GroupId: 'sg-1',
  OwnerId: '111122223333',
  IpPermissions: [
    {
      IpProtocol: 'tcp',
      FromPort: 22,
      ToPort: 22,
      IpRanges: [{ CidrIp: '203.0.113.7/32', Description: 'me' }, { CidrIp: '198.51.100.9/24' }],
      Ipv6Ranges: [{ CidrIpv6: '2001:DB8::/64' }],
      UserIdGroupPairs: [
        { GroupId: 'sg-1', UserId: '111122223333' },
        { GroupId: 'sg-2', UserId: '111122223333' },
        { GroupId: 'sg-3', UserId: '444455556666' },
        // EC2 returns no account for a group that was deleted.
        { GroupId: 'sg-4' },
      ],
      PrefixListIds: [{ PrefixListId: 'pl-1' }],
    },
    { IpProtocol: 'icmp', FromPort: -1, ToPort: -1, IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
    { IpProtocol: 'icmp', FromPort: 8, ToPort: -1, IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
    { IpProtocol: '50', IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
  ],
  IpPermissionsEgress: [
    { IpProtocol: 'udp', FromPort: 30_000, ToPort: 32_767, Ipv6Ranges: [{ CidrIpv6: '::/0' }] },
    { IpProtocol: '-1', FromPort: -1, ToPort: -1, IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
  ],
}
const names = [
  'ingress tcp 22 203.0.113.7/32',
  'ingress tcp 22 198.51.100.0/24',
  'ingress tcp 22 2001:db8::/64',
  'ingress tcp 22 itself',
  'ingress tcp 22 sg-2',
  'ingress tcp 22 444455556666/sg-3',
  'ingress tcp 22 sg-4',
  'ingress tcp 22 pl-1',
  'ingress icmp -1 0.0.0.0/0',
  'ingress icmp 8--1 0.0.0.0/0',
  'ingress 50 0.0.0.0/0',
  'egress udp 30000-32767 ::/0',
  'egress all 0.0.0.0/0',
]

test('rules are read one per peer, in any grouping by EC2', () => {
  expect(rulesOf(group).map(ruleName)).toEqual(names)
  expect(rulesOf(group).filter(({ described }) => described)).toHaveLength(1)
})

test('a rule survives its conversion to a permission and to a name', () => {
  for (const { described: _, ...rule } of rulesOf(group)) {
    const permissions = [permissionOf('sg-1', rule)]
    const sent = { ...group, IpPermissions: [], IpPermissionsEgress: [] }
    const key = rule.direction === 'ingress' ? 'IpPermissions' : 'IpPermissionsEgress'
    expect(rulesOf({ ...sent, [key]: permissions })).toEqual([{ ...rule, described: false }])
    expect(ruleOf(ruleName(rule))).toEqual(rule)
  }
})

test('other attributes of a group are no rules', () => {
  for (const name of [
    'tag Name',
    'tag ingress tcp 22 0.0.0.0/0',
    'ingress',
    'ingress tcp',
    'egress  all itself',
  ])
    expect(ruleOf(name), name).toBeUndefined()
})

test('a rule of another group refers to it in any account', () => {
  expect(rulesOf(group).flatMap(rule => referredGroup(rule) ?? [])).toEqual(['sg-2', 'sg-3', 'sg-4'])
})

test('rules with the same name are equal', () => {
  const [first, second] = rulesOf(group)
  expect(without(rulesOf(group).slice(0, 2), second === undefined ? [] : [{ ...second }])).toEqual([first])
})
