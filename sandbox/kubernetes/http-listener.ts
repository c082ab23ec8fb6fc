import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusePages } from '../../shared/loopback/refuse-pages.ts'
import type { Faults } from './faults.ts'
import { type ApiRequest, type ApiResponse, Disconnect } from './requests/api-request.ts'
import { protobufType } from './wire/decode-protobuf.ts'

export interface ListenOptions {
  /** Port 0 or absent: the system chooses one. */
  readonly port?: number
}

export interface HttpListener {
  /** `http://127.0.0.1:41234` */
  readonly url: string
  readonly port: number
  /** The number of connections accepted so far. */
  connections(): number
  /** Closes all connections. */
  close(): Promise<void>
}

/** Maximum size of a request body in bytes, as in kube-apiserver. */
const bodyLimit = 3 * 1024 * 1024

const readBody = async (incoming: IncomingMessage): Promise<string | Uint8Array | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyLimit) return undefined
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  return incoming.headers['content-type'] === protobufType ? bytes : bytes.toString('utf8')
}

const flatHeaders = (incoming: IncomingMessage): ApiRequest['headers'] =>
  Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )

const tooLarge = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `Request entity too large: limit is ${bodyLimit}`,
  reason: 'RequestEntityTooLarge',
  code: 413,
})

const writeLines = async (
  outgoing: ServerResponse,
  lines: AsyncIterable<string>,
  faults: Faults,
  signal: AbortSignal,
): Promise<void> => {
  const iterator = lines[Symbol.asyncIterator]()
  const stop = () => void iterator.return?.()
  signal.addEventListener('abort', stop, { once: true })
  outgoing.flushHeaders()
  for (;;) {
    const next = await iterator.next()
    await faults.whileFrozen()
    if (next.done || signal.aborted) break
    outgoing.write(next.value)
  }
  outgoing.end()
}

/** Serves a handler over HTTP/1.1 on 127.0.0.1. */
export const listen = async (
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  faults: Faults,
  { port = 0 }: ListenOptions = {},
): Promise<HttpListener> => {
  let accepted = 0

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    try {
      const body = await readBody(incoming)
      if (body === undefined) {
        outgoing.writeHead(413, { 'content-type': 'application/json', connection: 'close' }).end(tooLarge)
        return
      }
      const response = await handle({
        method: incoming.method ?? 'GET',
        path: incoming.url ?? '/',
        headers: flatHeaders(incoming),
        body,
        signal: gone.signal,
      })
      if (typeof response.body === 'string' || response.body instanceof Uint8Array) {
        const length = Buffer.byteLength(response.body)
        outgoing.writeHead(response.status, { ...response.headers, 'content-length': length })
        // Node would encode the bytes of a warning again, together with a text.
        const isText = response.headers.warning === undefined
        outgoing.end(isText ? response.body : Buffer.from(response.body))
        return
      }
      outgoing.writeHead(response.status, response.headers)
      await writeLines(outgoing, response.body, faults, gone.signal)
    } catch (error) {
      if (!(error instanceof Disconnect) && !gone.signal.aborted) throw error
      outgoing.destroy()
    }
  }

  const server = createServer(refusePages((incoming, outgoing) => void serve(incoming, outgoing)))
  server.on('connection', () => accepted++)
  server.keepAliveTimeout = 120_000
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    connections: () => accepted,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
