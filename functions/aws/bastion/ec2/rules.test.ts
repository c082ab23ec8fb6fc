import { expect, test } from 'vitest'
import { everythingOut, permissionsFor, ruleName, rulesIn, sshRule, without } from './rules.ts'

test('rules are read one per peer, in any grouping by EC2', () => {
  const permissions = [
    {
      IpProtocol: 'tcp',
      FromPort: 22,
      ToPort: 22,
      IpRanges: [{ CidrIp: '203.0.113.7/32', Description: 'me' }],
      Ipv6Ranges: [{ CidrIpv6: '2001:DB8::/64' }],
      UserIdGroupPairs: [{ GroupId: 'sg-1', UserId: '123456789012' }],
      PrefixListIds: [{ PrefixListId: 'pl-1' }],
    },
    { IpProtocol: 'icmp', FromPort: -1, ToPort: -1, IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
  ]
  expect(rulesIn('ingress', permissions).map(ruleName)).toEqual([
    'ingress tcp 22 203.0.113.7/32',
    'ingress tcp 22 2001:db8::/64',
    'ingress tcp 22 sg-1',
    'ingress tcp 22 pl-1',
    'ingress icmp -1 0.0.0.0/0',
  ])
})

test('rules are written as one permission per protocol and ports, and read back the same', () => {
  const rules = [
    sshRule('egress', 'sg-1'),
    sshRule('egress', '2001:db8::/64'),
    everythingOut,
    sshRule('egress', '203.0.113.7/32'),
    sshRule('egress', 'pl-1'),
  ]
  const permissions = permissionsFor(rules)
  expect(permissions).toHaveLength(2)
  expect(rulesIn('egress', permissions).map(ruleName).sort()).toEqual(rules.map(ruleName).sort())
})

test('rules with the same name are equal', () => {
  const [first, second] = [sshRule('ingress', '10.0.0.0/8'), sshRule('ingress', '11.0.0.0/8')]
  expect(without([first, second], [{ ...second }])).toEqual([first])
})
