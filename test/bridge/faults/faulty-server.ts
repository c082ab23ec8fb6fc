import { once } from 'node:events'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { readText, type Transport, type TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'
import type { Identity } from './certificates.ts'
import { openWay } from './freezable-way.ts'

/** The result of a rule for a request: an own answer, another path, or no change. */
export type Treatment =
  | { readonly status: number; readonly reason?: string }
  | { readonly path: string }
  | undefined

/** An open watch. */
export interface OpenWatch {
  readonly path: string
  write(text: string): void
  /** Ends it cleanly. */
  end(): void
  /** Stops all data without an end. */
  stall(): void
}

/** A TLS API server that can have every fault, in front of one without faults. */
export interface FaultyServer {
  readonly url: string
  /** The method and path of every request so far. */
  readonly asked: readonly string[]
  /** The open watches. */
  readonly watches: ReadonlySet<OpenWatch>
  /** Called for every request. The last rule that was set applies. */
  rule: (request: { readonly method: string; readonly path: string }) => Treatment
  /** The accepted bearer token. */
  token: string
  /** Presents another certificate, and trusts clients of that authority. Open connections remain. */
  present(identity: Identity, clientCa: string): void
  freeze(): void
  thaw(): void
  /** Closes every connection. */
  sever(): void
  close(): void
}

const statusBody = (code: number, reason = '') =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `injected ${code}`,
    reason,
    code,
  })

type Incoming = http2.Http2ServerRequest
type Outgoing = http2.Http2ServerResponse

/** Starts a server in front of `behind`. Clients need the token and a certificate of `clientCa`. Others get 401. */
export const startFaultyServer = async (options: {
  readonly behind: Transport
  readonly protocol: 'h2' | 'http/1.1'
  readonly identity: Identity
  readonly clientCa: string
  readonly token: string
}): Promise<FaultyServer> => {
  const { behind, protocol, identity, clientCa } = options
  const asked: string[] = []
  const watches = new Set<OpenWatch>()
  const tls = { ...identity, ca: clientCa, requestCert: true, rejectUnauthorized: false }
  const server = protocol === 'h2' ? http2.createSecureServer(tls) : https.createServer(tls)

  const answer = (response: Outgoing, status: number, reason?: string) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(statusBody(status, reason))
  }

  const relay = async (request: Incoming, response: Outgoing, path: string) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const body = await readText(request)
    const { accept = 'application/json', 'content-type': contentType } = request.headers
    const {
      status,
      headers,
      body: chunks,
    } = await behind({
      method: request.method as TransportRequest['method'],
      path,
      headers: { accept, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
      ...(body === '' ? {} : { body }),
      signal: gone.signal,
    })
    const { 'content-type': type = 'application/json', 'retry-after': retryAfter } = headers
    response.writeHead(status, {
      'content-type': type,
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    })
    if (!path.includes('watch=true') || status !== 200) {
      for await (const chunk of chunks) response.write(chunk)
      response.end()
      return
    }
    if (protocol === 'http/1.1') (response as unknown as { flushHeaders(): void }).flushHeaders()
    let stalled = false
    const watch: OpenWatch = {
      path,
      write: text => response.write(text),
      end: () => response.end(),
      stall: () => {
        stalled = true
      },
    }
    watches.add(watch)
    response.once('close', () => watches.delete(watch))
    for await (const chunk of chunks) if (!stalled && !response.writableEnded) response.write(chunk)
    if (!stalled) response.end()
  }

  server.on('request', (request: Incoming, response: Outgoing) => {
    const path = request.url ?? ''
    asked.push(`${request.method} ${path}`)
    const isKnown =
      request.headers.authorization === `Bearer ${front.token}` &&
      (request.socket as TLSSocket).authorized === true
    if (!isKnown) return answer(response, 401, 'Unauthorized')
    const treatment = front.rule({ method: request.method ?? '', path })
    if (treatment !== undefined && 'status' in treatment) {
      return answer(response, treatment.status, treatment.reason)
    }
    // A watch that its client has closed.
    relay(request, response, treatment?.path ?? path).catch(() => response.end())
  })
  server.on('error', () => undefined)
  server.on('sessionError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const way = await openWay((server.address() as AddressInfo).port)
  const front: FaultyServer = {
    url: `https://127.0.0.1:${way.port}`,
    asked,
    watches,
    rule: () => undefined,
    token: options.token,
    present: (next, ca) => server.setSecureContext({ ...next, ca }),
    freeze: way.freeze,
    thaw: way.thaw,
    sever: way.sever,
    close: () => {
      way.close()
      server.close()
    },
  }
  return front
}
