import { describe, expect, test } from 'vitest'
import { type FoundRule, ruleOf } from '../../../account/security-groups/security-rule.ts'
import { isOurShape, nodesRules, ruleMarks } from './nodes-rules.ts'

const zone = {
  workers: { cidr: '10.250.0.0/19', ipv6: '2001:db8::/64' },
  internal: { cidr: '10.250.112.0/22', ipv6: '2001:db8:0:1::/64' },
  public: { cidr: '10.250.96.0/22', ipv6: '2001:db8:0:2::/64' },
}
const common = [
  'ingress all itself',
  'ingress tcp 30000-32767 0.0.0.0/0',
  'ingress tcp 30000-32767 10.250.112.0/22',
  'ingress tcp 30000-32767 10.250.96.0/22',
  'ingress udp 30000-32767 0.0.0.0/0',
  'ingress udp 30000-32767 10.250.112.0/22',
  'ingress udp 30000-32767 10.250.96.0/22',
  'egress all 0.0.0.0/0',
]
const ipv6 = [
  'ingress tcp 30000-32767 ::/0',
  'ingress tcp 30000-32767 2001:db8:0:1::/64',
  'ingress tcp 30000-32767 2001:db8:0:2::/64',
  'ingress udp 30000-32767 ::/0',
  'ingress udp 30000-32767 2001:db8:0:1::/64',
  'ingress udp 30000-32767 2001:db8:0:2::/64',
  'egress all ::/0',
]

describe('the rules of the nodes', () => {
  const desired = { ipFamilies: ['IPv4'], efa: false, fileSystem: undefined } as const
  test.each([
    ['with IPv4', desired, common],
    // The internal and public entries contain exactly the blocks of these subnets, not of adjacent ones.
    ['with IPv6 alone', { ...desired, ipFamilies: ['IPv6'] as const }, ['ingress all itself', ...ipv6]],
    ['with both', { ...desired, ipFamilies: ['IPv4', 'IPv6'] as const }, [...common, ...ipv6]],
    ['with EFA', { ...desired, efa: true }, [...common, 'egress all itself']],
    [
      'with EFS',
      { ...desired, fileSystem: { id: undefined } },
      [...common, 'ingress tcp 2049 10.250.0.0/19'],
    ],
  ])('%s', (_, desiredValue, rules) => {
    expect(Object.keys(nodesRules(desiredValue, [zone])).sort()).toEqual(rules.toSorted())
  })

  test('name a range in canonical form, as EC2 lists the rules', () => {
    const subnet = { cidr: '10.250.96.0/22', ipv6: '2001:DB8:0:0::/64' }
    const rules = nodesRules({ ...desired, ipFamilies: ['IPv6'] }, [
      { workers: undefined, internal: subnet, public: undefined },
    ])
    expect(Object.keys(rules)).toContain('ingress tcp 30000-32767 2001:db8::/64')
  })

  test('omit subnets that a zone does not have', () => {
    const rules = nodesRules(desired, [{ workers: zone.workers, internal: undefined, public: undefined }])
    expect(Object.keys(rules)).toHaveLength(4)
  })
})

describe('a rule in the group', () => {
  const marks = (fileSystem?: { id: undefined }) =>
    ruleMarks(
      { fileSystem },
      [{ CidrBlock: '10.250.0.0/16', Ipv6CidrBlockAssociationSet: [{ Ipv6CidrBlock: '2001:db8::/56' }] }],
      [{ CidrBlock: '10.250.96.0/22' }],
    )
  const of = (name: string, described: boolean): FoundRule => {
    const rule = ruleOf(name)
    if (rule === undefined) throw new Error(`${name} is no rule`)
    return { ...rule, described }
  }
  test.each([
    ['ingress all itself', false, true],
    ['egress all itself', false, true],
    ['egress all 0.0.0.0/0', false, true],
    ['ingress all 0.0.0.0/0', false, false],
    ['ingress tcp 30000-32767 0.0.0.0/0', false, true],
    // A removed zone.
    ['ingress tcp 30000-32767 10.250.100.0/22', false, true],
    ['ingress udp 30000-32767 2001:db8:0:7::/64', false, true],
    // From outside the VPC, or with a description by another owner.
    ['ingress tcp 30000-32767 192.168.0.0/16', false, false],
    ['ingress tcp 30000-32767 10.250.100.0/22', true, false],
    // A description does not change the identity of a desired rule.
    ['ingress tcp 30000-32767 10.250.96.0/22', true, true],
    ['ingress tcp 22 0.0.0.0/0', false, false],
    // Other protocols and peers than those of the table.
    ['ingress icmp -1 0.0.0.0/0', false, false],
    ['ingress 132 30000-32767 0.0.0.0/0', false, false],
    ['ingress tcp 30000-32767 sg-2', false, false],
    ['ingress all pl-1', false, false],
    ['egress all sg-2', false, false],
    ['ingress tcp 2049 10.250.0.0/19', false, true],
    ['ingress udp 2049 10.250.0.0/19', false, false],
    ['ingress tcp 2049 192.168.0.0/16', false, false],
    ['egress tcp 30000-32767 0.0.0.0/0', false, false],
  ])('%s, described: %s, may be ours: %s', (name, described, ours) => {
    expect(isOurShape(of(name, described), marks())).toBe(ours)
  })

  test('for NFS with a description is ours only if NFS is desired', () => {
    const rule = of('ingress tcp 2049 10.250.96.0/22', true)
    expect(isOurShape(rule, marks())).toBe(false)
    expect(isOurShape(rule, marks({ id: undefined }))).toBe(true)
  })
})
