import http2 from 'node:http2'
import { type Clock, withinSignal } from '../../clock/clock.ts'
import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import { authorize, credentialsFor, sameTls } from './authorize.ts'
import { connectionFailure } from './connection-failure.ts'
import { type HttpTransport, httpTransport } from './http-transport.ts'
import { openHttp2Session } from './http2-session.ts'
import { flatHeaders, type TransportRequest, type TransportResponse } from './transport.ts'

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

/** Sends one request on a connection that others use concurrently. */
const exchangeOverHttp2 = (
  session: http2.ClientHttp2Session,
  prefix: string,
  request: TransportRequest,
  credentials: Credentials,
): Promise<TransportResponse> =>
  new Promise((resolve, reject) => {
    let stream: http2.ClientHttp2Stream
    try {
      stream = session.request(
        {
          ...request.headers,
          ...credentials.headers,
          ':method': request.method,
          ':path': prefix + request.path,
        },
        { endStream: request.body === undefined },
      )
    } catch (error) {
      // The connection ended after it was chosen.
      return reject(connectionFailure(request, error, false))
    }
    let failure: unknown
    const fail = () => {
      // The server reports that it did not process the request.
      const refused = stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM
      const cause = failure ?? new Error(`the stream ended with code ${stream.rstCode}`)
      return refused ? connectionFailure(request, cause, false) : connectionFailure(request, cause)
    }
    const abort = () => stream.close(http2.constants.NGHTTP2_CANCEL)
    request.signal?.addEventListener('abort', abort, { once: true })
    stream.on('error', error => {
      failure = error
    })
    stream.once('response', ({ ':status': status = 0, ...headers }) => {
      resolve({ status, headers: flatHeaders(headers), body: http2Body(stream, fail) })
    })
    stream.once('close', () => {
      request.signal?.removeEventListener('abort', abort)
      // Has no effect after a response.
      reject(fail())
    })
    if (request.body !== undefined) stream.end(request.body)
  })

/** Unread bytes before the server must slow down. */
const mostWaiting = 512 * 1024

/**
 * The body of a response. Listens from the start: Node treats an unread stream that the server closed as broken, and a
 * broken one as complete. Iterate it once; leaving early ends the request. `fail` returns the error of a truncated
 * response.
 */
const http2Body = (stream: http2.ClientHttp2Stream, fail: () => unknown): AsyncIterable<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let waiting = 0
  let over = false
  let isWhole = false
  let wake: () => void = () => undefined

  stream.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    waiting += chunk.length
    if (waiting > mostWaiting) stream.pause()
    wake()
  })
  stream.once('end', () => {
    over = true
    // The code is 0, or undefined while the stream is closing. A reset already has its code.
    isWhole = !stream.rstCode
    wake()
  })
  stream.once('close', () => {
    over = true
    wake()
  })

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = chunks.shift()
        if (chunk !== undefined) {
          waiting -= chunk.length
          if (waiting < mostWaiting / 2 && stream.isPaused()) stream.resume()
          yield chunk
        } else if (over) {
          if (!isWhole) throw fail()
          return
        } else {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      }
    } finally {
      if (!over) stream.close(http2.constants.NGHTTP2_CANCEL)
    }
  }
  return read()
}
