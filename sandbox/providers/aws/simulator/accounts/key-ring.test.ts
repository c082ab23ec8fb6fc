import { expect, test } from 'vitest'
import { isAllowed } from './key-ring.ts'

test.each([
  ['route53:ListHostedZones', ['*'], true],
  ['route53:ListHostedZones', ['route53:*'], true],
  ['route53:ListHostedZones', ['route53:List*', 'sts:*'], true],
  ['route53:ListHostedZones', ['ROUTE53:listhostedzones'], true],
  ['route53:CreateHostedZone', ['route53:List*'], false],
  ['route53resolver:ListRules', ['route53:*'], false],
  ['route53:ListHostedZonesByName', ['route53:ListHostedZones'], false],
  ['ec2:DescribeVpcs', [], false],
  ['ec2xDescribeVpcs', ['ec2.DescribeVpcs'], false],
])('%s is allowed by %j: %s', (action, patterns, expected) => {
  expect(isAllowed(action, patterns)).toBe(expected)
})
