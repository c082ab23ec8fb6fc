import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WireRequest, WireResponse } from '../codec/message.ts'
import type { Admin } from './admin.ts'
import type { Answer } from './answer.ts'

export interface Listening {
  /** `http://127.0.0.1:41234`. */
  readonly url: string
  readonly port: number
  /** Stops listening and ends open connections. */
  close(): Promise<void>
}

export interface HttpOptions {
  /** 0 or absent: the system chooses. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
}

/** More than any service takes; larger bodies are not read to their end. */
const largestBody = 64 * 1024 * 1024

const readBody = async (message: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += (chunk as Buffer).length
    if (size > largestBody) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

/** A `+` in a query is a plus sign for AWS, not a space. */
const queryOf = (search: string): Map<string, string[]> => {
  const query = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search.replaceAll('+', '%2B'))) {
    query.set(name, [...(query.get(name) ?? []), value])
  }
  return query
}

const toWire = (message: IncomingMessage, body: Uint8Array): WireRequest => {
  const [path = '/', ...search] = (message.url ?? '/').split('?')
  return {
    method: message.method ?? 'GET',
    path,
    query: queryOf(search.join('?')),
    headers: headersOf(message),
    body,
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

const tooLarge: WireResponse = {
  status: 413,
  headers: { 'content-type': 'text/xml', connection: 'close' },
  body: Buffer.from(
    '<ErrorResponse><Error><Type>Sender</Type><Code>RequestEntityTooLarge</Code><Message>Request body is too large.</Message></Error></ErrorResponse>',
  ),
}

/** Serves the simulator to any SDK, to aws-cli and to browsers that look at `/_trellis/calls`. */
export const listenHttp = async (
  answer: Answer,
  admin: Admin,
  options: HttpOptions = {},
): Promise<Listening> => {
  const server = createServer({ keepAliveTimeout: 120_000 }, async (message, response) => {
    const gone = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    try {
      const body = await readBody(message)
      if (!body) return send(response, tooLarge, message.method)
      const request = toWire(message, body)
      const answered = admin(request) ?? (await answer(request, gone.signal)).response
      if (!answered) return void message.socket.destroy()
      send(response, answered, message.method)
    } catch {
      // The client went away while it was sending: there is nobody to answer.
      message.socket.destroy()
    }
  })
  const host = options.host ?? '127.0.0.1'
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
