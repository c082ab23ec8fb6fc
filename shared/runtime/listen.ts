import type { AddressInfo, Server } from 'node:net'
import { codeOf } from '../text/message-of.ts'

/** Every address of both families: Linux also accepts IPv4 there, and libuv requests that despite `bindv6only`. */
export const everyAddress = '::'

/** The kernel has no IPv6 (`ipv6.disable=1`), or a container's sandbox refuses it. */
const withoutIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EPROTONOSUPPORT'])

/** Listens on an address; on all addresses of IPv4 for `::` where there is no IPv6. Rejects if it is not available. */
export const listen = async (
  server: Server,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<AddressInfo> => {
  const listenOn = (host: string): Promise<AddressInfo> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        server.off('error', reject)
        resolve(server.address() as AddressInfo)
      })
    })
  try {
    return await listenOn(address)
  } catch (error) {
    if (address !== everyAddress || !withoutIpv6.has(codeOf(error) ?? '')) throw error
    return listenOn('0.0.0.0')
  }
}
