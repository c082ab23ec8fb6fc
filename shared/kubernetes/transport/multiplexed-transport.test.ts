import http2 from 'node:http2'
import https from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock, virtualClock } from '../../clock/clock.ts'
import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import { ConnectionError } from '../port.ts'
import { multiplexedTransport } from './multiplexed-transport.ts'
import { readText, type TransportRequest } from './transport.ts'

let identity: { readonly cert: string; readonly key: string }
beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  identity = { cert, key }
})

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

interface Front {
  readonly url: string
  readonly sockets: Socket[]
  readonly sessions: http2.ServerHttp2Session[]
  /** Paths of the requests, with the protocol. */
  readonly asked: string[]
  /** Paths of the completed responses with a closed stream. */
  readonly answered: string[]
}

/** A server that answers `/echo` with the authorization, and leaves `/watch` open after a first line. */
const serve = async (protocols: 'h2' | 'http/1.1'): Promise<Front> => {
  const front: Front = { url: '', sockets: [], sessions: [], asked: [], answered: [] }
  const server =
    protocols === 'h2' ? http2.createSecureServer({ ...identity }) : https.createServer({ ...identity })
  server.on('secureConnection', (socket: Socket) => front.sockets.push(socket))
  server.on('session', (session: http2.ServerHttp2Session) => front.sessions.push(session))
  server.on('request', (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => {
    front.asked.push(`${request.httpVersion} ${request.url}`)
    const path = request.url.split('?')[0]
    response.once('close', () => front.answered.push(request.url))
    if (path === '/refused') return request.stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)
    if (path === '/reset') return request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
    if (path === '/silent') return
    if (path === '/unauthorized') response.statusCode = request.headers.authorization === 'new' ? 200 : 401
    response.setHeader('x-kind', 'a')
    if (path === '/watch') return response.write('first\n')
    if (path === '/broken') {
      response.write('half of')
      return setImmediate(() => request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR))
    }
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += String(chunk)
    })
    request.on('end', () => response.end(`${request.method} ${request.headers.authorization ?? ''} ${body}`))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => {
    for (const socket of front.sockets) socket.destroy()
    server.close()
  })
  return { ...front, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A proxy to the server that can be blocked: connections stay open, but transfer nothing. */
const wayTo = async (url: string) => {
  const sockets: Socket[] = []
  const server = createServer(near => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    block: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

const accessTo = (server: string, changes: Partial<Credentials> = {}): ClusterAccess => {
  const credentials: Credentials = {
    headers: { authorization: 'me' },
    tls: { ca: identity.cert },
    ...changes,
  }
  return { server, credentials: async () => credentials }
}

const transportTo = (access: ClusterAccess, clock = systemClock) => {
  const transport = multiplexedTransport({ access, clock })
  cleanUps.push(() => transport.close())
  return transport
}

const get = (path: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  path,
  headers: {},
  ...more,
})

const firstChunk = async (body: AsyncIterable<Uint8Array>) => {
  const iterator = body[Symbol.asyncIterator]()
  const { value } = await iterator.next()
  return { text: Buffer.from(value ?? []).toString(), rest: iterator }
}

describe('a server with HTTP/2', () => {
  test('requests, writes and watches share one connection', async () => {
    const front = await serve('h2')
    const { send } = transportTo(accessTo(front.url))
    const watches = await Promise.all(Array.from({ length: 14 }, () => send(get('/watch?watch=true'))))
    const answers = await Promise.all([
      send(get('/echo')),
      send(get('/echo', { method: 'PUT', body: '{"a":1}', headers: { 'content-type': 'application/json' } })),
    ])
    for (const { body } of watches) expect((await firstChunk(body)).text).toBe('first\n')
    expect(await Promise.all(answers.map(({ body }) => readText(body)))).toEqual([
      'GET me ',
      'PUT me {"a":1}',
    ])
    expect(answers.map(({ status, headers }) => [status, headers['x-kind']])).toEqual([
      [200, 'a'],
      [200, 'a'],
    ])
    expect(front.sockets).toHaveLength(1)
    expect(front.asked.every(line => line.startsWith('2.0 '))).toBe(true)
  })

  test('thousands of concurrent writes each get their own response', async () => {
    const { send } = transportTo(accessTo((await serve('h2')).url))
    const texts: string[] = []
    let next = 0
    const writer = async () => {
      while (next < 3_000) {
        const body = `${next++}`
        texts.push(await readText((await send(get('/echo', { method: 'POST', body }))).body))
      }
    }
    await Promise.all(Array.from({ length: 64 }, writer))
    expect(new Set(texts)).toEqual(new Set(Array.from({ length: 3_000 }, (_, index) => `POST me ${index}`)))
  })

  test('a response that is read after its end is complete', async () => {
    const front = await serve('h2')
    const { send } = transportTo(accessTo(front.url))
    const response = await send(get('/echo', { method: 'POST', body: 'x'.repeat(200_000) }))
    await expect.poll(() => front.answered.length).toBe(1)
    await send(get('/echo'))
    expect((await readText(response.body)).length).toBe(200_008)
  })

  test('after a GOAWAY running requests continue, and new ones use a new connection', async () => {
    const front = await serve('h2')
    const { send } = transportTo(accessTo(front.url))
    const { body } = await send(get('/watch'))
    const watch = await firstChunk(body)
    front.sessions[0]?.goaway()
    await expect.poll(async () => (await send(get('/echo'))).status && front.sockets.length).toBe(2)
    front.sessions[0]?.close()
    const next = watch.rest.next()
    front.sockets[0]?.destroy()
    await expect(next).rejects.toBeInstanceOf(ConnectionError)
  })

  test('after a lost connection its watches end with an error, and the next request connects again', async () => {
    const front = await serve('h2')
    const { send } = transportTo(accessTo(front.url))
    const { rest } = await firstChunk((await send(get('/watch'))).body)
    front.sockets[0]?.destroy()
    await expect(rest.next()).rejects.toBeInstanceOf(ConnectionError)
    expect(await readText((await send(get('/echo'))).body)).toBe('GET me ')
    expect(front.sockets).toHaveLength(2)
  })

  test.each([
    ['/reset', true],
    ['/refused', false],
  ])(
    'a lost connection ends a request to %s without a response; it may have acted: %s',
    async (path, sent) => {
      const { send } = transportTo(accessTo((await serve('h2')).url))
      const failure = await send(get(path)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ConnectionError)
      expect(failure).toMatchObject({ sent })
    },
  )

  test('a truncated response is an error, not a short response', async () => {
    const { send } = transportTo(accessTo((await serve('h2')).url))
    await expect(readText((await send(get('/broken'))).body)).rejects.toBeInstanceOf(ConnectionError)
  })

  test.each(['/silent', '/watch'])('an aborted signal ends a request to %s', async path => {
    const front = await serve('h2')
    const { send } = transportTo(accessTo(front.url))
    const controller = new AbortController()
    const reason = new Error('enough')
    const reading = send(get(path, { signal: controller.signal })).then(({ body }) => readText(body))
    await expect.poll(() => front.asked.length).toBe(1)
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    expect((await send(get('/echo'))).status).toBe(200)
    expect(front.sockets).toHaveLength(1)
  })

  test('new certificates get a new connection, and the watches of the old one continue', async () => {
    const front = await serve('h2')
    let credentials: Credentials = { headers: {}, tls: { ca: identity.cert } }
    const { send } = transportTo({ server: front.url, credentials: async () => credentials })
    const { rest } = await firstChunk((await send(get('/watch'))).body)
    credentials = { headers: {}, tls: { ca: `${identity.cert}\n` } }
    expect((await send(get('/echo'))).status).toBe(200)
    expect(front.sockets).toHaveLength(2)
    const next = rest.next()
    front.sockets[0]?.destroy()
    await expect(next).rejects.toBeInstanceOf(ConnectionError)
  })

  test('a request is repeated with a renewed token after a 401', async () => {
    const front = await serve('h2')
    const old: Credentials = { headers: { authorization: 'old' }, tls: { ca: identity.cert } }
    const fresh: Credentials = { headers: { authorization: 'new' }, tls: { ca: identity.cert } }
    const { send } = transportTo({
      server: front.url,
      credentials: async ({ refused } = {}) => (refused === undefined ? old : fresh),
    })
    expect((await send(get('/unauthorized'))).status).toBe(200)
  })

  test('a server that answers nothing for 45 s, not even a ping, is given up', async () => {
    const front = await serve('h2')
    const way = await wayTo(front.url)
    const clock = virtualClock(0)
    const { send } = transportTo(accessTo(way.url), clock)
    const { rest } = await firstChunk((await send(get('/watch'))).body)
    way.block()
    const next = rest.next()
    let ended = false
    next.catch(() => {
      ended = true
    })
    await clock.advance(44_000)
    expect(ended).toBe(false)
    await clock.advance(2_000)
    await expect(next).rejects.toThrow(/no longer answers/)
  })
})

test('the transport uses HTTP/1.1 with a server that supports only that', async () => {
  const front = await serve('http/1.1')
  const { send } = transportTo(accessTo(front.url))
  expect(await readText((await send(get('/echo'))).body)).toBe('GET me ')
  expect(front.asked).toEqual(['1.1 /echo'])
})

test.each([
  ['an absent server', 'https://127.0.0.1:1', {}, /ECONNREFUSED/],
  ['a server with an untrusted certificate', '', { tls: {} }, /self-signed certificate/],
])('for %s the error says that nothing was sent', async (_, url, changes, message) => {
  const front = await serve('h2')
  const { send } = transportTo(accessTo(url || front.url, changes))
  const failure = await send(get('/echo')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConnectionError)
  expect(failure).toMatchObject({ sent: false, message: expect.stringMatching(message) })
})
