import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface MemoryRegistry {
  /** Host and port, without TLS. */
  readonly host: string
  /** The stored blobs and manifests, by path: `/v2/acme/bridge/blobs/sha256:…`. */
  readonly stored: ReadonlyMap<string, Uint8Array>
  /** The `authorization` headers of the requests that it answered. */
  readonly authorizations: readonly string[]
  close(): Promise<void>
}

export interface MemoryRegistryOptions {
  /** `basic`: wants this user and password. `bearer`: wants a token that its server gives for them. */
  readonly auth?: { readonly scheme: 'basic' | 'bearer'; readonly user: string; readonly password: string }
}

const token = 'token-of-the-server'

/** A registry in memory, by https://github.com/opencontainers/distribution-spec/blob/main/spec.md. */
export const startMemoryRegistry = async ({ auth }: MemoryRegistryOptions = {}): Promise<MemoryRegistry> => {
  const stored = new Map<string, Uint8Array>()
  const authorizations: string[] = []
  const basic = auth && `Basic ${btoa(`${auth.user}:${auth.password}`)}`
  const wanted = auth?.scheme === 'bearer' ? `Bearer ${token}` : basic
  const server = createServer((request, response) => {
    void answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', `http://${host}`)
    const { authorization = '' } = request.headers
    const end = (
      status: number,
      headers: Readonly<Record<string, string>> = {},
      body?: Uint8Array | string,
    ) => response.writeHead(status, headers).end(body)
    if (pathname === '/token') {
      if (authorization !== basic) return void end(401)
      return void end(200, {}, JSON.stringify({ token, scope: searchParams.get('scope') }))
    }
    if (wanted !== undefined && authorization !== wanted) {
      await buffer(request)
      const challenge =
        auth?.scheme === 'bearer'
          ? `Bearer realm="http://${host}/token",service="images"`
          : 'Basic realm="images"'
      return void end(401, { 'www-authenticate': challenge })
    }
    authorizations.push(authorization)
    const body = await buffer(request)
    if (request.method === 'POST') return void end(202, { location: `${pathname}1?state=x` })
    if (request.method === 'PUT') {
      const digest = searchParams.get('digest')
      stored.set(digest === null ? pathname : pathname.replace('uploads/1', digest), body)
      return void end(201)
    }
    const found = stored.get(pathname)
    if (found === undefined) return void end(404)
    end(200, {}, request.method === 'HEAD' ? undefined : found)
  }

  return {
    host,
    stored,
    authorizations,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
