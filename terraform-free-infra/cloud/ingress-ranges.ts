import ipaddr from 'ipaddr.js'
import type { Problem } from '../../shared/decode/problems.ts'
import { type Cidr, contains, overlaps, parseCidr } from './cidr.ts'

/** A range of addresses that may connect, with exceptions. */
export interface IngressBlock {
  readonly cidr: string
  readonly except?: readonly string[]
}

export const ingressProblems = (ingress: readonly IngressBlock[]): readonly Problem[] =>
  ingress.flatMap(({ cidr, except = [] }, index) => {
    const path = `spec.ingress[${index}].ipBlock`
    const range = parseCidr(cidr)
    if (range === undefined) return [{ path: `${path}.cidr`, message: noCidr(cidr) }]
    return except.flatMap((text, position): readonly Problem[] => {
      const hole = parseCidr(text)
      if (hole === undefined) return [{ path: `${path}.except[${position}]`, message: noCidr(text) }]
      return contains(range, hole)
        ? []
        : [{ path: `${path}.except[${position}]`, message: `expected a range within ${cidr}, found ${text}` }]
    })
  })

const noCidr = (text: string): string =>
  `expected a range of addresses such as 203.0.113.7/32 or 2001:db8::/64, found ${JSON.stringify(text.slice(0, 80))}`

/**
 * Returns the ranges of valid blocks in the format of security groups: without host bits, each once, and without the
 * exceptions, because a group has no deny rules.
 */
export const ingressRanges = (ingress: readonly IngressBlock[]): readonly string[] => {
  const ranges = ingress.flatMap(({ cidr, except = [] }) => {
    const holes = except.flatMap(text => parseCidr(text) ?? [])
    const range = parseCidr(cidr)
    return range === undefined
      ? []
      : holes.reduce((left, hole) => left.flatMap(one => minus(one, hole)), [range])
  })
  return [...new Set(ranges.map(({ canonical }) => canonical))]
}

/** Returns a range without a hole: one range for each bit by which the prefix of the hole is longer. */
const minus = (range: Cidr, hole: Cidr): Cidr[] => {
  if (contains(hole, range)) return []
  if (!overlaps(range, hole)) return [range]
  return halvesOf(range).flatMap(half => minus(half, hole))
}

const halvesOf = (range: Cidr): readonly Cidr[] => {
  const prefix = range.prefix + 1
  const lower = ipaddr.parseCIDR(range.canonical)[0].toByteArray()
  const upper = lower.map((byte, index) =>
    index === (prefix - 1) >> 3 ? byte | (0x80 >> ((prefix - 1) & 7)) : byte,
  )
  return [lower, upper].flatMap(bytes => parseCidr(`${ipaddr.fromByteArray(bytes)}/${prefix}`) ?? [])
}
