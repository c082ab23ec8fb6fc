import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import {
  type ClusterAccess,
  type Credentials,
  openAccess,
  type TlsMaterial,
} from '../access/cluster-access.ts'
import { createKubernetes } from '../client.ts'
import { ConnectionError, type GroupVersionResource } from '../port.ts'
import { type HttpTransport, httpTransport } from './http-transport.ts'
import { readText } from './transport.ts'

const widgets: GroupVersionResource = {
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  namespaced: true,
}
const key = { namespace: 'foo', name: 'a' }
const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'foo' } }
const once = { attempts: 1, baseMs: 0, maxMs: 0, maxRetryAfterMs: 0 }

const cleanUps: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

interface Listening {
  readonly port: number
  /** The number of connections accepted so far. */
  readonly connections: () => number
}

/** Starts a server on a free port until the end of the test. */
const start = async (
  server: Server | ReturnType<typeof createHttpServer>,
  event: string,
): Promise<Listening> => {
  let connections = 0
  server.on(event, () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

const transportTo = (access: ClusterAccess): HttpTransport => {
  const transport = httpTransport({ access })
  cleanUps.push(() => transport.close())
  return transport
}

const clientOf = (transport: HttpTransport, timeoutMs?: number) =>
  createKubernetes({
    transport: transport.send,
    clock: systemClock,
    retry: once,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

const selfSigned = async () =>
  generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })

const withTls = (server: string, tls: TlsMaterial): ClusterAccess => {
  const credentials: Credentials = { headers: {}, tls }
  return { server, credentials: async () => credentials }
}

describe('requests over TLS', () => {
  test('200 sequential patches share one connection', async () => {
    const { private: privateKey, cert } = await selfSigned()
    const server = createTlsServer({ key: privateKey, cert }, (incoming, outgoing) => {
      incoming.resume().on('end', () => outgoing.end(JSON.stringify(object)))
    })
    const { port, connections } = await start(server, 'secureConnection')
    const kubernetes = clientOf(transportTo(withTls(`https://127.0.0.1:${port}`, { ca: cert })))
    for (let n = 0; n < 200; n++) await kubernetes.patch(widgets, key, { spec: { n } })
    expect(connections()).toBe(1)
  })

  test('an untrusted certificate is refused before anything is sent', async () => {
    const { private: privateKey, cert } = await selfSigned()
    let requests = 0
    const server = createTlsServer({ key: privateKey, cert }, (_, outgoing) => {
      requests++
      outgoing.end('{}')
    })
    const { port } = await start(server, 'secureConnection')
    const kubernetes = clientOf(transportTo(withTls(`https://127.0.0.1:${port}`, {})))
    await expect(kubernetes.patch(widgets, key, {})).rejects.toMatchObject({
      name: 'ConnectionError',
      sent: false,
    })
    expect(requests).toBe(0)
  })

  test('new TLS material gets new connections', async () => {
    const { private: privateKey, cert } = await selfSigned()
    const server = createTlsServer({ key: privateKey, cert }, (_, outgoing) => {
      outgoing.end(JSON.stringify(object))
    })
    const { port, connections } = await start(server, 'secureConnection')
    let credentials: Credentials = { headers: {}, tls: { ca: cert } }
    const access = { server: `https://127.0.0.1:${port}`, credentials: async () => credentials }
    const kubernetes = clientOf(transportTo(access))
    await kubernetes.get(widgets, key)
    credentials = { headers: {}, tls: { ca: cert, key: privateKey, cert } }
    await kubernetes.get(widgets, key)
    expect(connections()).toBe(2)
  })
})

describe('failures of the connection', () => {
  test('a refused connection has certainly sent nothing', async () => {
    const server = createTcpServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    const kubernetes = clientOf(transportTo(openAccess(`http://127.0.0.1:${port}`)))
    await expect(kubernetes.patch(widgets, key, {})).rejects.toMatchObject({
      name: 'ConnectionError',
      sent: false,
    })
  })

  test('a connection that is reset before the response may have sent the request', async () => {
    const { port } = await start(
      createHttpServer(incoming => incoming.socket.destroy()),
      'connection',
    )
    const kubernetes = clientOf(transportTo(openAccess(`http://127.0.0.1:${port}`)))
    await expect(kubernetes.patch(widgets, key, {})).rejects.toMatchObject({
      name: 'ConnectionError',
      sent: true,
    })
  })

  test('a connection that is reset within the response is an error', async () => {
    const server = createHttpServer((incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': 1_000 })
      outgoing.write('{"kind":', () => incoming.socket.destroy())
    })
    const { port } = await start(server, 'connection')
    const kubernetes = clientOf(transportTo(openAccess(`http://127.0.0.1:${port}`)))
    await expect(kubernetes.get(widgets, key)).rejects.toBeInstanceOf(ConnectionError)
  })

  test('a silent server leads to a timeout and a closed connection', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createHttpServer(incoming => {
      incoming.socket.once('close', () => closed.resolve())
    })
    const { port } = await start(server, 'connection')
    const kubernetes = clientOf(transportTo(openAccess(`http://127.0.0.1:${port}`)), 20)
    await expect(kubernetes.get(widgets, key)).rejects.toThrow('no answer in 0.02 s')
    await closed.promise
  })

  test('leaving a watch closes its connection, and requests continue', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createHttpServer((incoming, outgoing) => {
      if (!incoming.url?.includes('watch=true')) return outgoing.end(JSON.stringify(object))
      outgoing.once('close', () => closed.resolve())
      return outgoing.write(`${JSON.stringify({ type: 'ADDED', object })}\n`)
    })
    const { port } = await start(server, 'connection')
    const kubernetes = clientOf(transportTo(openAccess(`http://127.0.0.1:${port}`)))
    for await (const _ of kubernetes.watch(widgets)) break
    await closed.promise
    expect(await kubernetes.get(widgets, key)).toEqual(object)
  })
})

describe('credentials', () => {
  const tokens = async (accepted: () => string) => {
    const seen: string[] = []
    const server = createHttpServer((incoming, outgoing) => {
      seen.push(incoming.headers.authorization ?? '')
      outgoing.writeHead(incoming.headers.authorization === accepted() ? 200 : 401)
      outgoing.end(JSON.stringify(object))
    })
    const { port } = await start(server, 'connection')
    return { seen, server: `http://127.0.0.1:${port}` }
  }

  test('a refused token is read again and the request is repeated once', async () => {
    const { seen, server } = await tokens(() => 'Bearer new')
    const old: Credentials = { headers: { authorization: 'Bearer old' }, tls: {} }
    const fresh: Credentials = { headers: { authorization: 'Bearer new' }, tls: {} }
    const access: ClusterAccess = {
      server,
      credentials: async ({ refused } = {}) => (refused === old ? fresh : old),
    }
    const transport = transportTo(access)
    const response = await transport.send({ method: 'PATCH', path: '/x', headers: {}, body: '{}' })
    expect(response.status).toBe(200)
    await readText(response.body)
    expect(seen).toEqual(['Bearer old', 'Bearer new'])
  })

  test('a token that is refused again is an error at once', async () => {
    const { seen, server } = await tokens(() => 'Bearer other')
    const only: Credentials = { headers: { authorization: 'Bearer mine' }, tls: {} }
    const kubernetes = clientOf(transportTo({ server, credentials: async () => only }))
    await expect(kubernetes.get(widgets, key)).rejects.toMatchObject({ status: 401 })
    expect(seen).toHaveLength(1)
  })

  test('the path of the server precedes the path of the request', async () => {
    const seen: string[] = []
    const server = createHttpServer((incoming, outgoing) => {
      seen.push(incoming.url ?? '')
      outgoing.end(JSON.stringify(object))
    })
    const { port } = await start(server, 'connection')
    await clientOf(transportTo(openAccess(`http://127.0.0.1:${port}/clusters/one/`))).get(widgets, key)
    expect(seen).toEqual(['/clusters/one/apis/example.com/v1/namespaces/foo/widgets/a'])
  })
})
