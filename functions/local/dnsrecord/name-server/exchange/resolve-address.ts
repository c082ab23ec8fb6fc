import { lookup } from 'node:dns/promises'
import type { NameServerAddress } from '../address.ts'

export interface ResolvedAddress {
  readonly host: string
  readonly port: number
  readonly family: 4 | 6
}

/** Returns the current address: that of a name server in a cluster changes. */
export const resolveAddress = async ({ host, port }: NameServerAddress): Promise<ResolvedAddress> => {
  const { address, family } = await lookup(host)
  return { host: address, port, family: family === 6 ? 6 : 4 }
}
