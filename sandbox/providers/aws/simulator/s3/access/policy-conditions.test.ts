import { expect, test } from 'vitest'
import { holds, isLike, isOperator } from './policy-conditions.ts'

const context = new Map([
  ['aws:securetransport', 'true'],
  ['s3:tlsversion', '1.2'],
  ['aws:sourceip', '10.1.2.3'],
  ['s3:prefix', 'etcd/main'],
  ['aws:currenttime', '2026-01-01T12:00:00Z'],
])

test.each<[operator: string, key: string, value: unknown, expected: boolean]>([
  ['Bool', 'aws:SecureTransport', 'false', false],
  ['Bool', 'aws:SecureTransport', 'true', true],
  ['Bool', 'aws:SecureTransport', true, true],
  ['NumericLessThan', 's3:TlsVersion', '1.2', false],
  ['NumericLessThan', 's3:TlsVersion', 1.3, true],
  ['NumericLessThan', 's3:absent', 1.3, false],
  ['NumericLessThanIfExists', 's3:absent', 1.3, true],
  ['NumericNotEquals', 's3:absent', 1, true],
  ['StringLike', 's3:prefix', ['backup/*', 'etcd/*'], true],
  ['StringNotLike', 's3:prefix', ['backup/*', 'etcd/*'], false],
  ['StringEquals', 's3:prefix', 'ETCD/main', false],
  ['StringEqualsIgnoreCase', 's3:prefix', 'ETCD/main', true],
  ['ForAllValues:StringEquals', 's3:absent', 'a', true],
  ['ForAnyValue:StringEquals', 's3:absent', 'a', false],
  ['IpAddress', 'aws:SourceIp', '10.1.0.0/16', true],
  ['NotIpAddress', 'aws:SourceIp', '10.1.0.0/16', false],
  ['IpAddress', 'aws:SourceIp', '10.2.0.0/16', false],
  ['Null', 's3:absent', 'true', true],
  ['Null', 's3:prefix', 'true', false],
  ['DateLessThan', 'aws:CurrentTime', '2026-01-01T12:00:01Z', true],
  ['DateGreaterThan', 'aws:CurrentTime', '2026-01-01T12:00:01Z', false],
])('%s of %s and %j: %s', (operator, key, value, expected) => {
  expect(isOperator(operator)).toBe(true)
  expect(holds({ [operator]: { [key]: value } }, context)).toBe(expected)
})

test('all operators and all keys must match', () => {
  const both = { Bool: { 'aws:SecureTransport': 'true' }, NumericLessThan: { 's3:TlsVersion': 1.2 } }
  expect(holds(both, context)).toBe(false)
  expect(holds({ StringLike: { 's3:prefix': 'etcd/*', 's3:absent': '*' } }, context)).toBe(false)
  expect(holds({}, context)).toBe(true)
})

test.each([
  ['etcd/a.b', 'etcd/a.b', true],
  ['etcd/axb', 'etcd/a.b', false],
  ['etcd/ab', 'etcd/?', false],
  ['etcd/a/b', 'etcd/*', true],
])('%s matches %s: %s', (text, pattern, expected) => {
  expect(isLike(text, pattern)).toBe(expected)
})

test('an unknown operator is not an operator of AWS', () => {
  expect(isOperator('StringAlmostEquals')).toBe(false)
})
