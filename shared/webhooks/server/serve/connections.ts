import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'

/** The connections of a server, including those without any request. */
export interface Connections {
  readonly count: () => number
  /** Sets a callback for each time the last connection is closed. */
  readonly whenNobodyIsLeft: (left: () => void) => void
  /** Closes connections without a request in progress. The others close after their answers. */
  readonly closeUnused: () => void
  readonly closeAll: () => void
}

/**
 * Follows the connections of a server and limits their number. A new connection above the limit closes the oldest idle
 * one, first among those without an answered review. Callers without a valid path take at most one place from API
 * servers, and a caller with a path cannot shut others out with idle connections. API servers reopen a closed
 * connection.
 *
 * Node's own `close` waits for connections without any request. kube-apiserver leaves such connections: it opens one
 * for a review, but another one is free sooner. Node does not know connections with an unfinished handshake.
 */
export const followConnections = (server: HttpsServer, most: number): Connections => {
  /** The open connections, in the order of their start. */
  const open = new Map<string, Socket>()
  const answering = new Map<string, number>()
  /** The connections with an answered review. */
  const proved = new Set<string>()
  let left: () => void = () => undefined

  /** Returns false if every other connection has a request. */
  const makeRoom = (): boolean => {
    if (open.size < most) return true
    const idle = [...open].filter(([peer, socket]) => !answering.has(peer) && !socket.destroyed)
    const [, oldest] = idle.find(([peer]) => !proved.has(peer)) ?? idle[0] ?? []
    oldest?.destroy()
    return oldest !== undefined
  }

  server.on('connection', (socket: Socket) => {
    if (!makeRoom()) {
      socket.destroy()
      return
    }
    const peer = peerOf(socket)
    open.set(peer, socket)
    socket.once('close', () => {
      if (open.get(peer) === socket) {
        open.delete(peer)
        proved.delete(peer)
      }
      if (open.size === 0) left()
    })
  })
  server.on('secureConnection', socket => socket.on('error', () => socket.destroy()))
  server.on('request', ({ socket }, response) => {
    const peer = peerOf(socket)
    answering.set(peer, (answering.get(peer) ?? 0) + 1)
    response.once('close', () => {
      const others = (answering.get(peer) ?? 1) - 1
      if (others > 0) answering.set(peer, others)
      else answering.delete(peer)
      if (response.statusCode === 200 && open.has(peer)) proved.add(peer)
    })
  })
  return {
    count: () => open.size,
    whenNobodyIsLeft: then => {
      left = then
    },
    closeUnused: () => {
      for (const [peer, socket] of open) if (!answering.has(peer)) socket.destroy()
    },
    closeAll: () => {
      for (const socket of open.values()) socket.destroy()
    },
  }
}

/** Returns the same name for a connection and its TLS socket, which are two objects. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
