import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Clock } from '../../../clock/clock.ts'
import type { Log } from '../../../log/log.ts'
import { listen } from '../../../runtime/listen.ts'
import { messageOf } from '../../../text/message-of.ts'

/** The certificate and key of a server, in PEM format. The key is secret. */
export interface ServerCertificate {
  readonly certificate: string
  readonly key: string
  /** The certificate of the CA that signed it, if known. */
  readonly authority?: string
}

export interface DrainTimes {
  /**
   * The minimum time for which it accepts connections, until every API server knows that it is not ready. Milliseconds.
   */
  readonly acceptMs: number
  /** The longest wait for callers to close their connections. Milliseconds. */
  readonly limitMs: number
}

export interface WebhookServer {
  readonly port: number
  /** Sets the certificate for new connections with this host name. Existing connections are not affected. */
  readonly setCertificate: (hosts: readonly string[], certificate: ServerCertificate) => void
  /** Sets the certificate for all other connections. */
  readonly setDefaultCertificate: (certificate: ServerCertificate) => void
  /**
   * Answers until there are no more requests or the limit is reached, completes requests in progress, and closes.
   * Another call waits for the same end.
   */
  readonly drain: () => Promise<void>
}

export interface ServerOptions {
  readonly host: string
  /** The maximum number of concurrent connections. Default: 1,000. */
  readonly mostConnections?: number
  /** 0: the system chooses one. */
  readonly port: number
  readonly certificate: ServerCertificate
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    isDraining: () => boolean,
  ) => Promise<void>
  readonly drain: DrainTimes
  readonly log: Log
  readonly clock: Clock
}

/**
 * The maximum number of concurrent connections. One takes about 50 KB with TLS. An API server has a few, and closes
 * them 90 s after its last review.
 */
const mostConnections = 1_000

/** No API server waits longer for an answer: webhook timeouts are at most 30 s. */
const longestReviewMs = 30_000

/**
 * Serves HTTPS with HTTP/1.1. kube-apiserver calls webhooks with HTTP/1.1 even if HTTP/2 is offered, because with one
 * HTTP/2 connection it would use only one replica. Connections stay open longer than its clients retain idle ones (90
 * s), so that the server never closes one while a request may be in flight: a caller cannot know if such a request was
 * received, and aborts it.
 */
export const serveWebhooks = async (options: ServerOptions): Promise<WebhookServer> => {
  const { answer, log, clock } = options
  let draining: Promise<void> | undefined
  const isDraining = () => draining !== undefined
  const contexts = new Map<string, SecureContext>()

  const server = createServer({
    ...tlsOf(options.certificate),
    ALPNProtocols: ['http/1.1'],
    SNICallback: (host, found) => found(null, contexts.get(host)),
    keepAliveTimeout: 150_000,
    headersTimeout: 20_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 8 * 1024,
    // kube-apiserver has the same limit.
    handshakeTimeout: 10_000,
    // A body may wait for memory, and then needs time to arrive.
    requestTimeout: 40_000,
  })
  const connections = followConnections(server, options.mostConnections ?? mostConnections)
  server.on('request', (request, response) => {
    answer(request, response, isDraining).catch((error: unknown) => {
      log.error('answer failed', { error: error instanceof Error ? error.name : typeof error })
      response.destroy()
    })
  })
  // Load balancer probes, and callers that do not trust the certificate. They see the error themselves.
  server.on('tlsClientError', error => log.debug('TLS connection failed', { error: messageOf(error) }))
  const { address, port } = await listen(server, { address: options.host, port: options.port })
  log.info('listening', { address, port })

  const drain = async (): Promise<void> => {
    log.info('draining', { connections: connections.count() })
    const began = clock.now()
    // It still listens, because an API server may not know yet that this replica ends.
    await clock.sleep(options.drain.acceptMs)
    if (connections.count() > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      connections.whenAllAreGone(resolve)
      const cancel = clock.after(Math.max(options.drain.limitMs - (clock.now() - began), 0), resolve)
      await promise
      cancel()
    }
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    connections.closeUnused()
    const cancelCut = clock.after(longestReviewMs, connections.closeAll)
    await closed
    cancelCut()
    log.info('closed')
  }

  return {
    port,
    setCertificate: (hosts, certificate) => {
      const context = createSecureContext(tlsOf(certificate))
      for (const host of hosts) contexts.set(host, context)
    },
    setDefaultCertificate: certificate => server.setSecureContext(tlsOf(certificate)),
    drain: () => {
      draining ??= drain()
      return draining
    },
  }
}

/**
 * The suites of TLS 1.3, and those of TLS 1.2 with forward secrecy and authenticated encryption. API servers are Go
 * clients, and Go offers all of these suites (crypto/tls, `cipherSuitesPreferenceOrder`).
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** Every context needs all of these options. Otherwise a new default certificate would restore Node's own suites. */
const tlsOf = ({ certificate, key }: ServerCertificate) => ({
  cert: certificate,
  key,
  minVersion: 'TLSv1.2' as const,
  ciphers,
})

/** The connections of a server, including those without any request. */
export interface Connections {
  readonly count: () => number
  /** Sets a callback for each time the last connection is closed. */
  readonly whenAllAreGone: (left: () => void) => void
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
const followConnections = (server: HttpsServer, most: number): Connections => {
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
    whenAllAreGone: then => {
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
