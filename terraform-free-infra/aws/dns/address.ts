import { isIPv6 } from 'node:net'

/** The one spelling by which IP addresses are compared: `2001:DB8:0::1` is `2001:db8::1`. Other text stays as it is. */
export const addressKey = (address: string): string =>
  isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
