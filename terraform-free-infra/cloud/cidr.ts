import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Cidr {
  /** As written. */
  readonly text: string
  readonly family: 4 | 6
  /** The number of prefix bits. */
  readonly prefix: number
  /** As clouds and Go write it: no host bits, IPv6 according to RFC 5952. */
  readonly canonical: string
  /** The first address. Parsed once, since ranges are compared in pairs. */
  readonly network: ipaddr.IPv4 | ipaddr.IPv6
}

/** Returns the range, or undefined if the text is not a range. Host bits are allowed. */
export const parseCidr = (text: string): Cidr | undefined => {
  const [, host = '', length = ''] = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const family = isIP(host)
  const prefix = Number(length)
  if ((family !== 4 && family !== 6) || length === '' || prefix > (family === 4 ? 32 : 128)) return undefined
  const network =
    family === 4 ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  const written = 'toRFC5952String' in network ? network.toRFC5952String() : network.toString()
  return { text, family, prefix, canonical: `${written}/${prefix}`, network }
}

/** Returns a range in canonical form, and any other text unchanged. */
export const canonicalCidr = (text: string): string => parseCidr(text)?.canonical ?? text

export const contains = (outer: Cidr, inner: Cidr): boolean =>
  outer.family === inner.family &&
  outer.prefix <= inner.prefix &&
  inner.network.match(outer.network, outer.prefix)

export const overlaps = (one: Cidr, other: Cidr): boolean => contains(one, other) || contains(other, one)
