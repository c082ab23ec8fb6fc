import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** An open port. */
export interface Door {
  readonly port: number
  close(): Promise<void>
}

/**
 * Connects callers of a Unix socket, which passes network namespaces, to TCP addresses. The first line of a connection
 * names the address as `<host> <port>`.
 */
export const serveDoors = async (socketPath: string): Promise<Server> => {
  const server = createServer({ allowHalfOpen: true }, near => {
    near.on('error', () => {})
    let line = ''
    const read = (data: Buffer) => {
      line += data.toString('latin1')
      const end = line.indexOf('\n')
      if (end < 0) return
      near.off('data', read)
      near.pause()
      near.unshift(Buffer.from(line.slice(end + 1), 'latin1'))
      const [host = '', port] = line.slice(0, end).split(' ')
      join(near, connect({ host, port: Number(port), allowHalfOpen: true }))
    }
    near.on('data', read)
  }).listen(socketPath)
  await once(server, 'listening')
  return server
}

/** Listens at `host` and leads each connection to an address on the other side of the Unix socket. */
export const openDoor = async (
  host: string,
  socketPath: string,
  target: { readonly host: string; readonly port: number },
): Promise<Door> => {
  const open = new Set<Socket>()
  const server: Server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ path: socketPath, allowHalfOpen: true })
    far.write(`${target.host} ${target.port}\n`)
    join(near, far)
    open.add(near)
    near.once('close', () => open.delete(near))
  }).listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Forwards in both directions. Each direction ends separately, an error ends both. */
const join = (near: Socket, far: Socket): void => {
  near.setNoDelay(true)
  far.setNoDelay(true)
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on('error', () => other.destroy())
    socket.on('close', () => other.destroy())
  }
  near.pipe(far)
  far.pipe(near)
}
