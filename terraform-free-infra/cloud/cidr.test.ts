import { describe, expect, test } from 'vitest'
import { type Cidr, contains, overlaps, parseCidr } from './cidr.ts'

const cidr = (text: string): Cidr => {
  const parsed = parseCidr(text)
  if (parsed === undefined) throw new Error(`${text} is no CIDR`)
  return parsed
}

describe('a CIDR', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.0.0.1/32', '10.0.0.1/32'],
    ['2001:DB8:0:0::/56', '2001:db8::/56'],
    ['2001:db8::1/56', '2001:db8::/56'],
    ['::/0', '::/0'],
  ])('%s has the canonical form %s', (text, canonical) => {
    expect(parseCidr(text)?.canonical).toBe(canonical)
  })

  test.each([
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0/8',
    '010.0.0.0/8',
    '2001:db8::/129',
    'fe80::1%eth0/64',
    'a/8',
    '10.0.0.0/8/8',
  ])('"%s" is not a CIDR', text => {
    expect(parseCidr(text)).toBeUndefined()
  })

  test.each([
    ['10.0.0.0/8', '10.1.0.0/16', true, true],
    ['10.1.0.0/16', '10.0.0.0/8', false, true],
    ['10.0.0.0/16', '10.0.0.0/16', true, true],
    ['10.0.0.0/16', '10.1.0.0/16', false, false],
    ['0.0.0.0/0', '2001:db8::/56', false, false],
    ['2001:db8::/56', '2001:db8:0:ff::/64', true, true],
  ])('%s and %s: contains %s, overlaps %s', (outer, inner, isInside, touches) => {
    expect(contains(cidr(outer), cidr(inner))).toBe(isInside)
    expect(overlaps(cidr(outer), cidr(inner))).toBe(touches)
  })
})
