import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLocalHost, refusePagesAt } from '../../../../../shared/loopback/refuse-pages.ts'
import type { WireRequest, WireResponse } from '../codec/message.ts'
import type { AnswerRequest } from './answer.ts'

/** Answers the simulator's own paths, `/_trellis/…`. Returns undefined for all others. */
export type Admin = (request: WireRequest) => WireResponse | undefined

export interface Listening {
  /** `http://127.0.0.1:41234`. */
  readonly url: string
  readonly port: number
  /** Stops listening and closes open connections. */
  close(): Promise<void>
}

export interface HttpOptions {
  /** Port 0 or absent: the system chooses one. */
  readonly port?: number
  /** Default: 127.0.0.1. */
  readonly host?: string
}

/** More than any service accepts. Bytes beyond this size are read and discarded. */
const largestBody = 64 * 1024 * 1024

interface Body {
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

/** Rejects if the client disconnects or does not send HTTP. */
const readBody = (message: IncomingMessage): Promise<Body> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= largestBody) chunks.push(chunk)
      else chunks.length = 0
    })
    message.on('error', reject)
    message.on('end', () => {
      const [only] = chunks
      resolve({
        bytes: only && chunks.length === 1 ? only : Buffer.concat(chunks),
        isCut: size > largestBody,
      })
    })
  })

const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

/** For AWS a `+` in a query is a plus sign, not a space. */
const queryOf = (search: string): Map<string, string[]> => {
  const query = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search.replaceAll('+', '%2B'))) {
    query.set(name, [...(query.get(name) ?? []), value])
  }
  return query
}

/** A client that uses this server as its proxy sends the whole URL. */
const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?]*/, '') || '/'

const toWire = (message: IncomingMessage, body: Body): WireRequest => {
  const [path = '/', ...search] = withoutOrigin(message.url ?? '/').split('?')
  return {
    method: message.method ?? 'GET',
    path: path || '/',
    query: queryOf(search.join('?')),
    headers: headersOf(message),
    body: body.bytes,
    isCut: body.isCut,
  }
}

const send = (
  response: ServerResponse,
  { status, headers, body }: WireResponse,
  method: string | undefined,
) => {
  response.writeHead(status, { ...headers, 'content-length': headers['content-length'] ?? body.length })
  response.end(method === 'HEAD' ? undefined : body)
}

/** A request that is not HTTP has no service, so the error has the most common format. */
const brokenRequest = (status: number, reason: string, code: string, message: string): string => {
  const body = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/xml\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
}

const refuseBroken = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      socket.end(
        brokenRequest(
          431,
          'Request Header Fields Too Large',
          'RequestHeaderSectionTooLarge',
          'Your request header section exceeds the maximum allowed size.',
        ),
      )
      break
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      socket.end(
        brokenRequest(
          408,
          'Request Timeout',
          'RequestTimeout',
          'Your socket connection to the server was not read from or written to within the timeout period.',
        ),
      )
      break
    default:
      socket.end(brokenRequest(400, 'Bad Request', 'BadRequest', 'The request is no HTTP.'))
  }
}

/** Also the host names of Amazon's endpoints, which only Amazon can resolve to another address. */
const isOwnHost = (host: string): boolean =>
  isLocalHost(host) || /^[\w.-]+\.amazonaws\.(?:com(?:\.cn)?|eu)(?::\d{1,5})?$/i.test(host)

/** Serves the simulator to any SDK, to aws-cli and to browsers that open `/_trellis/calls`. */
export const listenHttp = async (
  answer: AnswerRequest,
  admin: Admin,
  options: HttpOptions = {},
): Promise<Listening> => {
  const host = options.host ?? '127.0.0.1'
  const server = createServer(
    { keepAliveTimeout: 120_000 },
    refusePagesAt(
      host,
      async (message, response) => {
        const gone = new AbortController()
        response.on('close', () => {
          if (!response.writableFinished) gone.abort()
        })
        try {
          const request = toWire(message, await readBody(message))
          const answered = admin(request) ?? (await answer(request, gone.signal)).response
          if (!answered) return void message.socket.destroy()
          send(response, answered, message.method)
        } catch {
          // The client disconnected while sending, or already received the error for a request that is not HTTP.
          if (message.socket.writable) message.socket.destroySoon()
        }
      },
      { isOwnHost },
    ),
  )
  server.on('clientError', refuseBroken)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
