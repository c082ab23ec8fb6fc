import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { messageOf } from '../../shared/text/message-of.ts'

/**
 * Returns a port of 127.0.0.1 that was free a moment ago, for programs that cannot select one. Another program may take
 * it meanwhile, so the caller must retry with another (`onFreePorts`).
 */
export const freePort = async (): Promise<number> => {
  const [port] = await freePorts(1)
  return Number(port)
}

/** Returns different ports: all of them are held until the last one is known. */
const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers: Server[] = []
  for (let index = 0; index < count; index++) {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
  }
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(
    servers.map(server => {
      server.close()
      return once(server, 'close')
    }),
  )
  return ports
}

/** Starts a program on different free ports, and again on others if another program has taken one meanwhile. */
export const onFreePorts = async <T>(
  count: number,
  start: (...ports: readonly number[]) => Promise<T>,
  attempts = 3,
): Promise<T> => {
  try {
    return await start(...(await freePorts(count)))
  } catch (error) {
    if (attempts === 1 || !/address already in use/i.test(messageOf(error))) throw error
    return onFreePorts(count, start, attempts - 1)
  }
}
