import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { type VirtualClock, virtualClock } from '../../../clock/clock.ts'
import { createKubernetes } from '../../../kubernetes/kubernetes.ts'
import { componentCertificates } from '../certificates/component-certificates.ts'
import { createShortKeyPair } from '../testing/webhook-seed.ts'
import { type ServerCertificate, serveWebhooks, type WebhookServer } from './server.ts'

const limitMs = 100_000
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let certificate: ServerCertificate
beforeAll(async () => {
  const clock = virtualClock(Date.now())
  const kubernetes = createKubernetes({
    transport: createApiServer({ clock, objects: [] }).transport,
    clock,
  })
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } },
  )
  const certificates = componentCertificates({
    kubernetes,
    clock,
    namespace: 'trellis',
    component: 'provider-tiny',
    createKeyPair: createShortKeyPair,
  })
  certificate = (await certificates.generate(() => false)).server
})

const sockets = new Set<Socket>()
let clock: VirtualClock
let server: WebhookServer
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  const draining = server.drain()
  await clock.advance(limitMs)
  await draining
  expect(clock.pending(), 'no timer is left behind').toEqual([])
})

/** The number of requests so far. */
let asked = 0
const begin = async (answered: Promise<void> = Promise.resolve(), mostConnections = 1_000) => {
  clock = virtualClock(Date.now())
  asked = 0
  server = await serveWebhooks({
    host: '127.0.0.1',
    port: 0,
    mostConnections,
    certificate,
    answer: async (request, response) => {
      asked += 1
      await answered
      if (request.url === '/kept') return void response.end('kept')
      response.setHeader('connection', 'close').end('answered')
    },
    drain: { acceptMs: 0, limitMs },
    log: silent,
    clock,
  })
}
const kept = <S extends Socket>(socket: S): S => {
  sockets.add(socket)
  return socket.on('error', () => undefined)
}
const openTls = async () => {
  const socket = kept(connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false }))
  await once(socket, 'secureConnect')
  return socket
}
const openTcp = async () => {
  const socket = kept(connectTcp(server.port, '127.0.0.1'))
  await once(socket, 'connect')
  return socket
}

const suiteOf = (options: ConnectionOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls(
      { port: server.port, host: '127.0.0.1', rejectUnauthorized: false, ...options },
      () => {
        resolve(socket.getCipher().name)
        socket.destroy()
      },
    )
    kept(socket).once('error', reject)
  })

describe.each<[string, () => void, object]>([
  ['its first certificate', () => undefined, {}],
  ['another default certificate', () => server.setDefaultCertificate(certificate), {}],
  [
    'the certificate of a host',
    () => server.setCertificate(['tiny.trellis.svc'], certificate),
    { servername: 'tiny.trellis.svc' },
  ],
])('a server with %s', (_, prepare, named) => {
  test.each(['AES128-SHA', 'AES128-GCM-SHA256', 'AES256-SHA256', 'ECDHE-RSA-AES128-SHA'])(
    'a change batch with %s is refused',
    async ciphers => {
      await begin()
      prepare()
      await expect(suiteOf({ ...named, ciphers, maxVersion: 'TLSv1.2' })).rejects.toThrow(/handshake failure/)
    },
  )

  test('refuses TLS 1.1', async () => {
    await begin()
    prepare()
    await expect(
      suiteOf({ ...named, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow()
  })

  test('accepts the suites that kube-apiserver offers', async () => {
    await begin()
    prepare()
    expect(await suiteOf({ ...named, maxVersion: 'TLSv1.2' })).toMatch(/^ECDHE-RSA-AES\d+-GCM/)
    expect(await suiteOf(named)).toMatch(/^TLS_/)
  })
})

test.each<[string, () => Promise<Socket>]>([
  ['on which nothing was ever asked', openTls],
  ['that never begins its handshake', openTcp],
])('the end of a server waits for a connection %s at most until its limit', async (_, open) => {
  await begin()
  const socket = await open()
  let closed = false
  const draining = server.drain().then(() => {
    closed = true
  })
  await clock.advance(limitMs - 1)
  expect(closed).toBe(false)
  const cut = once(socket, 'close')
  await clock.advance(1)
  await cut
  await draining
})

test('the end of a server waits for a review that started within its limit', async () => {
  const gate = Promise.withResolvers<void>()
  await begin(gate.promise)
  const socket = await openTls()
  let text = ''
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  socket.write('POST / HTTP/1.1\r\nhost: webhook\r\ncontent-length: 0\r\n\r\n')
  const unused = await openTls()
  const draining = server.drain()
  const cut = once(unused, 'close')
  await clock.advance(limitMs)
  await cut
  gate.resolve()
  await expect.poll(() => text).toMatch(/answered$/)
  await draining
})

test('a connection beyond the limit replaces the oldest one without an answered review', async () => {
  await begin(undefined, 3)
  const used = await openTls()
  used.write('GET /kept HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(used, 'data')
  const idle = await openTls()
  const silent = await openTcp()
  const cut = once(idle, 'close')
  await openTls()
  await cut
  const cutToo = once(silent, 'close')
  await openTls()
  await cutToo
  expect(used.destroyed).toBe(false)
})

test('a connection beyond the limit replaces the oldest idle one if all have an answered review', async () => {
  await begin(undefined, 2)
  const [first, second] = [await openTls(), await openTls()]
  for (const socket of [first, second]) {
    socket.write('GET /kept HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(socket, 'data')
  }
  const cut = once(first, 'close')
  await openTls()
  await cut
  expect(second.destroyed).toBe(false)
})

test('a connection beyond the limit is refused while all others have a request', async () => {
  const gate = Promise.withResolvers<void>()
  await begin(gate.promise, 2)
  for (const socket of [await openTls(), await openTls()])
    socket.write('GET /kept HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => asked).toBe(2)
  await expect(openTls()).rejects.toThrow()
  gate.resolve()
})
