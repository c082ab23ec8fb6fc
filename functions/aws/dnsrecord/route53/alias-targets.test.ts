import { expect, test } from 'vitest'
import { aliasSuffixes, aliasSuffixOf } from './alias-targets.ts'

test.each([
  ['d111111abcdef8.cloudfront.net', 'Z2FDTNDATAQYW2'],
  ['a1234567890abcdef.awsglobalaccelerator.com', 'Z2BJ6XQ5FK7U4H'],
  ['a1b2c3-123.eu-west-1.elb.amazonaws.com', 'Z32O12XQLNTSW2'],
  ['dualstack.a1b2c3-123.eu-west-1.elb.amazonaws.com', 'Z32O12XQLNTSW2'],
  ['net-1.elb.eu-west-1.amazonaws.com', 'Z2IFOLAFXWLO4F'],
  ['vpce-1-2.ec2.eu-west-1.vpce.amazonaws.com', 'Z38GZ743OKFT7T'],
  ['d-abc.execute-api.eu-west-1.amazonaws.com', 'ZLY8HYME6SFDD'],
  ['lb.af-south-1.elb.amazonaws.com', 'Z268VQBMOI5EKX'],
  ['lb.elb.ap-southeast-7.amazonaws.com', 'Z054363131YWATEMWRG5L'],
  ['lb.cn-north-1.elb.amazonaws.com.cn', 'Z1GDH35T77C1KE'],
  ['lb.elb.cn-northwest-1.amazonaws.com.cn', 'ZQEIKTCZ8352D'],
  ['x.us-west-2.vpce.amazonaws.com', 'Z1YSA3EXCYUU9Z'],
  ['x.execute-api.us-west-2.amazonaws.com', 'Z2OJLYMUO9EFXC'],
  ['lb.us-east-1.elb.amazonaws.com', 'Z35SXDOTRQ7X7K'],
])('%s is an alias target in %s', (target, zone) => {
  expect(aliasSuffixOf(target)?.hostedZoneId).toBe(zone)
})

test.each([
  ['a suffix without a name before it', 'eu-west-1.elb.amazonaws.com'],
  ['a name that only ends like a suffix', 'lb.xeu-west-1.elb.amazonaws.com'],
  ['a suffix in the middle', 'lb.eu-west-1.elb.amazonaws.com.evil.org'],
  ['GovCloud', 'lb.us-gov-west-1.elb.amazonaws.com'],
  ['China under the wrong domain', 'lb.cn-north-1.elb.amazonaws.com'],
  ['a service that the region does not have', 'x.execute-api.ap-south-2.amazonaws.com'],
  ['a suffix in upper case', 'lb.EU-WEST-1.elb.amazonaws.com'],
  ['any other name', 'www.example.org'],
])('%s is not an alias target', (_, target) => {
  expect(aliasSuffixOf(target)).toBeUndefined()
})

test('every suffix belongs to one zone, and its id has the format of Route 53', () => {
  expect(new Set(aliasSuffixes.map(entry => entry.suffix)).size).toBe(aliasSuffixes.length)
  // 36 regions with both kinds of load balancers, 28 with endpoints, 23 with API Gateway, and two global services.
  expect(aliasSuffixes).toHaveLength(2 + 36 * 2 + 28 + 23)
  for (const { hostedZoneId } of aliasSuffixes) expect(hostedZoneId).toMatch(/^Z[A-Z0-9]{11,20}$/)
})
