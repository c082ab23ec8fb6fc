import { isIP } from 'node:net'

/** Returns true if a text is an address range, such as `10.0.0.0/16` or `2001:db8::/56`. Host bits may be set. */
export const isCidr = (text: string): boolean => {
  const [address = '', bits = '', ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  return Number(bits) <= (family === 4 ? 32 : 128)
}
