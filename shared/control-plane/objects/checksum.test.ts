import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checksum } from './managed-resource.ts'

test('the checksum equals that of the recorded configuration', () => {
  const conf = [
    '[Global]',
    'VPC="vpc-0123456789abcdef0"',
    'SubnetID="subnet-0aaaaaaaaaaaaaaa3"',
    'DisableSecurityGroupIngress=true',
    'KubernetesClusterTag="shoot--cp--default"',
    'KubernetesClusterID="shoot--cp--default"',
    'Zone="eu-west-1a"',
    '# https://github.com/kubernetes/cloud-provider-aws/issues/638',
    'NodeIPFamilies="ipv4"',
    '',
  ].join('\n')
  expect(checksum({ 'cloudprovider.conf': conf })).toBe(
    '4d0646134bf72fa61d8124d85c7a0bc49cd60a00056f5bc8db3ea9bb65e19412',
  )
})

test('nothing and an empty object have the same checksum', () => {
  expect(checksum({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
})

test('the checksum does not depend on the order of the keys', () => {
  expect(checksum({ b: '1', a: '2' })).toBe(checksum({ a: '2', b: '1' }))
  expect(checksum({ b: '1', a: '2' })).not.toBe(checksum({ a: '1', b: '2' }))
})

test('characters are escaped as in Go', () => {
  // The SHA-256 of {"a":"\u003c\u003e\u0026"}, Go's encoding.
  expect(checksum({ a: '<>&' })).toBe('e7831e1e89ae7e3d4c47b15d7055fd4df2a72289ea3c0a30c75ae5150b208774')
})

test('line separators are escaped as in Go', () => {
  const go = '{"a":"\\u2028\\u2029"}'
  expect(checksum({ a: '\u2028\u2029' })).toBe(createHash('sha256').update(go).digest('hex'))
})
