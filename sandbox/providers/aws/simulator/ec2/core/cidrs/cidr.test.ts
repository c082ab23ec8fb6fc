import { describe, expect, test } from 'vitest'
import { contains, formatCidr, overlaps, parseCidr, sizeOf, subrange } from './cidr.ts'

const cidr = (text: string) => {
  const parsed = parseCidr(text)
  if (!parsed) throw new Error(`${text} is no range`)
  return parsed
}

describe('address ranges', () => {
  test.each([
    ['10.250.0.5/16', '10.250.0.0/16'],
    ['100.68.0.18/18', '100.68.0.0/18'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['255.255.255.255/32', '255.255.255.255/32'],
    ['2001:DB8:0:0:1::1/56', '2001:db8::/56'],
    ['2a05:d018:0abc:de00::/56', '2a05:d018:abc:de00::/56'],
    ['::/0', '::/0'],
  ])('%s is canonically %s', (text, canonical) => {
    expect(formatCidr(cidr(text))).toBe(canonical)
  })

  test.each([
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0/16',
    '010.0.0.0/8',
    '10.0.0.0/-1',
    '10.0.0.256/8',
    '::/129',
    'x/8',
    '10.0.0.0/8/9',
  ])('%j is not a range', text => {
    expect(parseCidr(text)).toBeUndefined()
  })

  test.each([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
    ['0.0.0.0/0', '::/0', false],
    ['2001:db8::/56', '2001:db8:0:ff::/64', true],
    ['2001:db8::/56', '2001:db8:0:100::/64', false],
  ])('%s contains %s: %s', (outer, inner, expected) => {
    expect(contains(cidr(outer), cidr(inner))).toBe(expected)
  })

  test('a range overlaps the ranges that it contains and those that contain it', () => {
    expect(overlaps(cidr('10.0.0.0/24'), cidr('10.0.0.0/16'))).toBe(true)
    expect(overlaps(cidr('10.0.0.0/16'), cidr('10.0.0.0/24'))).toBe(true)
    expect(overlaps(cidr('10.0.0.0/24'), cidr('10.0.1.0/24'))).toBe(false)
  })

  test('a range is divided into ranges of equal length', () => {
    expect(formatCidr(subrange(cidr('172.31.0.0/16'), 20, 3n))).toBe('172.31.48.0/20')
    expect(formatCidr(subrange(cidr('2001:db8::/56'), 64, 255n))).toBe('2001:db8:0:ff::/64')
    expect(sizeOf(cidr('10.0.0.0/28'))).toBe(16n)
  })
})
