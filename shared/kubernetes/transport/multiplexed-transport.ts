import type http2 from 'node:http2'
import { type Clock, withinSignal } from '../../clock/clock.ts'
import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import { authorize, credentialsFor, sameTls } from './authorize.ts'
import { connectionFailure } from './connection-failure.ts'
import { exchangeOverHttp2 } from './exchange-over-http2.ts'
import { type HttpTransport, httpTransport } from './http-transport.ts'
import { openHttp2Session } from './http2-session.ts'
import type { TransportRequest } from './transport.ts'

interface Connection {
  readonly credentials: Credentials
  /** Undefined: the server supports only HTTP/1.1. */
  readonly session: Promise<http2.ClientHttp2Session | undefined>
}

/**
 * A transport for a process with many watches: all requests share one HTTP/2 connection if the server supports that
 * over TLS. Otherwise, and through a proxy, it is `httpTransport` with a connection per watch. Functions always use
 * that one, because it starts faster.
 */
export const multiplexedTransport = (options: {
  readonly access: ClusterAccess
  readonly clock: Clock
}): HttpTransport => {
  const { access, clock } = options
  const plain = httpTransport({ access })
  const origin = new URL(access.server)
  const prefix = origin.pathname.replace(/\/$/, '')
  const sessions = new Set<http2.ClientHttp2Session>()
  let connection: Connection | undefined
  let closed = false

  const open = async (credentials: Credentials) => {
    const session = await openHttp2Session(origin, credentials.tls, clock)
    if (session === undefined) return undefined
    if (closed) session.destroy()
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    return session
  }

  const connect = (credentials: Credentials): Connection => {
    const fresh: Connection = { credentials, session: open(credentials) }
    const forget = () => {
      if (connection === fresh) connection = undefined
    }
    fresh.session.then(session => {
      // After a GOAWAY the server completes running requests and refuses new ones.
      session?.once('goaway', forget)
      session?.once('close', forget)
    }, forget)
    return fresh
  }

  const sessionFor = async (credentials: Credentials) => {
    const present = connection
    if (present !== undefined && sameTls(present.credentials, credentials)) return present.session
    connection = connect(credentials)
    // Running requests on the old connection continue until they end.
    present?.session.then(session => session?.close()).catch(() => undefined)
    return connection.session
  }

  const exchange = async (request: TransportRequest, credentials: Credentials) => {
    let session: http2.ClientHttp2Session | undefined
    try {
      const connecting = sessionFor(credentials)
      session = await (request.signal ? withinSignal(request.signal, connecting) : connecting)
    } catch (error) {
      throw connectionFailure(request, error, false)
    }
    return session === undefined
      ? plain.send(request)
      : exchangeOverHttp2(session, prefix, request, credentials)
  }

  const overTls = authorize(access, exchange)
  return {
    send: async request => {
      const isDirect =
        origin.protocol === 'https:' && (await credentialsFor(request, access)).agent === undefined
      return isDirect ? overTls(request) : plain.send(request)
    },
    close: () => {
      closed = true
      plain.close()
      connection = undefined
      for (const session of sessions) session.destroy()
    },
  }
}
