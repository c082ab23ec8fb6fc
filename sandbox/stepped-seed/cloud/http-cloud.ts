import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { refusePages } from '../../../shared/loopback/refuse-pages.ts'
import type { PassCall, TestCloud, TestThing } from './cloud-under-test.ts'

/** The behaviour of a cloud over HTTP. */
export interface HttpCloudOptions {
  /** Answers a request, as the cloud would. If it rejects, the function gets status 500 with the error. */
  readonly handle: (request: Request) => Response | Promise<Response>
  /** Returns all that exists, of every owner. */
  readonly things: () => readonly TestThing[]
  /** Creates a thing that belongs to its `owner`. Absent: the tests create no things of others. */
  readonly add?: (thing: TestThing) => void
  /** Values for keys of the seed's Secrets, such as the address. Default: none. */
  readonly secret?: (url: string) => Readonly<Record<string, string>>
  /** Default: true for GET and HEAD. */
  readonly isRead?: (request: Request) => boolean
  /**
   * The port on 127.0.0.1.
   *
   * @default 0 (the system chooses)
   */
  readonly port?: number
}

/** A running cloud under test. */
export interface HttpCloud extends TestCloud {
  /** `http://127.0.0.1:40123` */
  readonly url: string
  /** Sends a request to the cloud without a socket. The function also gets it, as `connection.fetch`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Keeps the process running until `close`, for a program that serves this cloud to others. Returns the cloud. */
  ref(): HttpCloud
  close(): Promise<void>
}

/**
 * Starts a cloud under test that is called over HTTP, by any client. A stopped call gets no response. The server does
 * not keep the process running, so a test that fails before `close` ends.
 *
 * @example
 * const records = new Map<string, string>()
 * const cloud = await httpCloud({
 *   handle: async request => {
 *     const { pathname } = new URL(request.url)
 *     if (request.method === 'PUT') records.set(pathname, await request.text())
 *     return new Response(records.get(pathname) ?? '', { status: records.has(pathname) ? 200 : 404 })
 *   },
 *   things: () => [...records].map(([name, content]) => ({ name, content })),
 *   secret: url => ({ server: url }),
 * })
 * await cloud.close()
 */
export const httpCloud = async (options: HttpCloudOptions): Promise<HttpCloud> => {
  const { handle, things, add, secret, isRead = onlyReads, port = 0 } = options
  let pass: PassCall = (_, work) => work()
  const answer = (request: Request): Promise<Response> => {
    const name = `${request.method} ${new URL(request.url).pathname}`
    return pass({ name, isRead: isRead(request) }, async () => {
      try {
        return await handle(request)
      } catch (error) {
        return new Response(`${error}`, { status: 500 })
      }
    })
  }
  const server = createServer(
    refusePages(async (incoming, outgoing) => {
      try {
        await respond(outgoing, await answer(await requestOf(incoming)))
      } catch {
        incoming.socket.destroy()
      }
    }),
  )
  server.on('connection', socket => socket.unref())
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetch: HttpCloud['fetch'] = async (input, init) => answer(new Request(input, init))
  const cloud: HttpCloud = {
    url,
    fetch,
    things,
    ...(add && { add }),
    ...(secret && { secret: secret(url) }),
    connection: { url, fetch },
    passCalls: given => {
      pass = given
    },
    ref: () => {
      server.ref()
      return cloud
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return cloud
}

const onlyReads = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

const requestOf = async (incoming: IncomingMessage): Promise<Request> => {
  const { method = 'GET', headers, url = '/' } = incoming
  const body = await text(incoming)
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(body !== '' && { body }),
  })
}

const respond = async (outgoing: ServerResponse, response: Response): Promise<void> => {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
