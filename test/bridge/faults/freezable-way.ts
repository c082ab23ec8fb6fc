import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to a local port that can block like a frozen process: connections remain, new ones are accepted, no data
 * flows.
 */
export interface FreezableWay {
  readonly port: number
  freeze(): void
  thaw(): void
  /** Closes every connection. */
  sever(): void
  close(): void
}

export const openWay = async (to: number): Promise<FreezableWay> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let frozen = false
  const join = (near: Socket, far: Socket) => near.pipe(far).pipe(near)
  const server = createServer(near => {
    const far = connect(to, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.once('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
    if (!frozen) join(near, far)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sever = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      frozen = true
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause()
    },
    thaw: () => {
      frozen = false
      for (const [near, far] of pairs) join(near, far)
    },
    sever,
    close: () => {
      sever()
      server.close()
    },
  }
}
