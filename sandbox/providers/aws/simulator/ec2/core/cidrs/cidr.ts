import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A range of addresses; its host bits are zero. */
export interface AddressRange {
  readonly family: 4 | 6
  readonly address: bigint
  readonly prefix: number
}

const bits = { 4: 32, 6: 128 } as const

const toNumber = (bytes: readonly number[]): bigint =>
  bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

const toBytes = (value: bigint, length: number): number[] =>
  Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 255n))

/** The number of addresses. */
export const sizeOf = ({ family, prefix }: AddressRange): bigint => 1n << BigInt(bits[family] - prefix)

const masked = (family: 4 | 6, address: bigint, prefix: number): AddressRange => {
  const host = BigInt(bits[family] - prefix)
  return { family, address: (address >> host) << host, prefix }
}

/** Returns an address as a number. Undefined if the text is not an address. */
export const parseAddress = (text: string): { family: 4 | 6; address: bigint } | undefined => {
  const family = isIP(text)
  if (family !== 4 && family !== 6) return undefined
  return { family, address: toNumber(ipaddr.parse(text).toByteArray()) }
}

/** Parses a range. Host bits are cleared, as EC2 does. Returns undefined if the text is not a range. */
export const parseCidr = (text: string | undefined): AddressRange | undefined => {
  const [, host = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text ?? '') ?? []
  const parsed = parseAddress(host)
  if (!parsed || Number(length) > bits[parsed.family]) return undefined
  return masked(parsed.family, parsed.address, Number(length))
}

/** Formats an address in the canonical form: `10.0.0.1`, `2a05:d018::1`. */
export const formatAddress = (family: 4 | 6, address: bigint): string =>
  family === 4 ? toBytes(address, 4).join('.') : new ipaddr.IPv6(toBytes(address, 16)).toRFC5952String()

export const formatCidr = ({ family, address, prefix }: AddressRange): string =>
  `${formatAddress(family, address)}/${prefix}`

export const contains = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.family === inner.family &&
  outer.prefix <= inner.prefix &&
  masked(outer.family, inner.address, outer.prefix).address === outer.address

export const overlaps = (a: AddressRange, b: AddressRange): boolean => contains(a, b) || contains(b, a)

/** Returns the n-th range of the given length inside a range. */
export const subrange = (outer: AddressRange, prefix: number, index: bigint): AddressRange => ({
  family: outer.family,
  prefix,
  address: outer.address + (index << BigInt(bits[outer.family] - prefix)),
})
