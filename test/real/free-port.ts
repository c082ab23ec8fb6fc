import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that was free just now, for programs that cannot choose one themselves. Another program may
 * take it in between: whoever uses it tries again with another.
 */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
