import { Agent, createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock, virtualClock } from '../clock/clock.ts'
import { parseEvent } from './read-event.ts'
import { createSender, parseRetryAfter } from './send.ts'
import { sampleEvent } from './testing/sample-event.ts'

const event = sampleEvent
const now = Date.parse('2026-11-21T00:00:00Z')
const never = new AbortController().signal

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const serve = async (
  listener: RequestListener,
): Promise<{ sink: string; agent: Agent; connections: () => number }> => {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ keepAlive: true })
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  cleanups.push(async () => agent.destroy())
  return {
    sink: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ns/default`,
    agent,
    connections: () => connections,
  }
}

const answering = (status: number, headers: Record<string, string> = {}, body = ''): RequestListener => {
  return (request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body))
  }
}

describe('createSender', () => {
  test('an event has the extensions, the token, and its trace in the header of proxies', async () => {
    const received: IncomingHttpHeaders[] = []
    const { sink, agent } = await serve((request, response) => {
      received.push(request.headers)
      request.resume().on('end', () => response.writeHead(202).end())
    })
    const send = createSender({
      sink,
      agent,
      timeoutMs: 5000,
      clock: systemClock,
      extensions: { team: 'a', kind: 'not this' },
      token: { token: async () => 'secret' },
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    expect(await send({ ...event, traceparent }, never)).toEqual({ kind: 'accepted' })
    expect(received).toMatchObject([
      {
        'ce-team': 'a',
        'ce-kind': 'DNSRecord',
        'ce-traceparent': traceparent,
        traceparent,
        authorization: 'Bearer secret',
      },
    ])
  })

  test.each([
    ['sends again with a renewed token', 'new', { kind: 'accepted' }, 2],
    [
      'gives up when the token is still the same',
      'old',
      { kind: 'rejected', status: 401, reason: 'the sink answered 401' },
      1,
    ],
  ])('the sender %s when the sink refuses the one it had', async (_, fresh, outcome, requests) => {
    let count = 0
    const { sink, agent } = await serve((request, response) => {
      count++
      const status = request.headers.authorization === 'Bearer new' ? 202 : 401
      request.resume().on('end', () => response.writeHead(status).end())
    })
    const token = async ({ refused }: { readonly refused?: string | undefined } = {}) =>
      refused === undefined ? 'old' : fresh
    const send = createSender({ sink, agent, timeoutMs: 5000, clock: systemClock, token: { token } })
    expect(await send(event, never)).toEqual(outcome)
    expect(count).toBe(requests)
  })

  test.each(['binary', 'structured'] as const)('the event is posted in %s mode', async mode => {
    const received: unknown[] = []
    const { sink, agent } = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push([
          request.method,
          request.url,
          parseEvent(request.headersDistinct, Buffer.concat(chunks)),
        ])
        response.writeHead(202).end()
      })
    })
    const send = createSender({ sink, agent, timeoutMs: 5000, clock: systemClock, mode })
    expect(await send(event, never)).toEqual({ kind: 'accepted' })
    expect(received).toEqual([['POST', '/ns/default', event]])
  })

  test.each<[number, Record<string, string>, object]>([
    [200, {}, { kind: 'accepted' }],
    [202, {}, { kind: 'accepted' }],
    [204, {}, { kind: 'accepted' }],
    [301, { location: '/elsewhere' }, { kind: 'rejected', status: 301 }],
    [400, {}, { kind: 'rejected', status: 400 }],
    [404, {}, { kind: 'rejected', status: 404 }],
    [413, {}, { kind: 'rejected', status: 413 }],
    [408, {}, { kind: 'retry' }],
    [429, { 'retry-after': '7' }, { kind: 'retry', afterMs: 7000 }],
    [500, {}, { kind: 'retry' }],
    [503, {}, { kind: 'retry' }],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 00:01:00 GMT' }, { kind: 'retry', afterMs: 60_000 }],
  ])('the response %i %j becomes %j', async (status, headers, outcome) => {
    const { sink, agent } = await serve(answering(status, headers))
    const send = createSender({ sink, agent, timeoutMs: 5000, clock: virtualClock(now) })
    expect(await send(event, never)).toMatchObject(outcome)
  })

  test('a refused connection asks for a retry', async () => {
    const { sink, agent } = await serve(answering(202))
    await cleanups[0]?.()
    const send = createSender({ sink, agent, timeoutMs: 5000, clock: systemClock })
    expect(await send(event, never)).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('a connection that breaks in the middle of the response asks for a retry', async () => {
    const { sink, agent } = await serve((_, response) => {
      response.writeHead(202, { 'content-length': '10' })
      response.write('abc', () => response.destroy())
    })
    const send = createSender({ sink, agent, timeoutMs: 5000, clock: systemClock })
    expect(await send(event, never)).toMatchObject({ kind: 'retry' })
  })

  test('a timeout is no failure, because the sink has the event', async () => {
    const clock = virtualClock(now)
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const { sink, agent } = await serve(() => resolve())
    const outcome = createSender({ sink, agent, timeoutMs: 10_000, clock })(event, never)
    await arrived
    await clock.advance(10_000)
    expect(await outcome).toEqual({
      kind: 'unanswered',
      reason: 'the sink: no answer within 10000 ms',
    })
    expect(clock.pending()).toEqual([])
  })

  test('an endless response counts against the same timeout', async () => {
    const clock = virtualClock(now)
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const { sink, agent } = await serve((_, response) => {
      response.writeHead(202)
      response.write('x', () => resolve())
    })
    const outcome = createSender({ sink, agent, timeoutMs: 10_000, clock })(event, never)
    await arrived
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ kind: 'unanswered' })
  })

  test('a slow connection fails at its timeout, and an established one has more time', async () => {
    const clock = virtualClock(now)
    const limits = { timeoutMs: 600_000, connectMs: 10_000, clock }
    // A server that never responds, like one behind a dropped packet.
    const silent = new Agent({ keepAlive: true })
    silent.createConnection = () => Object.assign(new Socket(), { connecting: true })
    const outcome = createSender({ sink: 'http://127.0.0.1:9/', agent: silent, ...limits })(event, never)
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ kind: 'retry', code: 'ETIMEDOUT' })
    expect(clock.pending()).toEqual([])

    const { promise: arrived, resolve } = Promise.withResolvers<() => void>()
    const { sink, agent } = await serve((_, response) => resolve(() => response.writeHead(202).end()))
    const slow = createSender({ sink, agent, ...limits })(event, never)
    const answer = await arrived
    await clock.advance(481_000)
    answer()
    expect(await slow).toEqual({ kind: 'accepted' })
    expect(clock.pending()).toEqual([])
  })

  test('an aborted send rejects with the reason of its signal and leaves no timer', async () => {
    const clock = virtualClock(now)
    const stop = new AbortController()
    const { sink, agent } = await serve(() => stop.abort(new Error('shutting down')))
    const send = createSender({ sink, agent, timeoutMs: 10_000, clock })
    await expect(send(event, stop.signal)).rejects.toThrow('shutting down')
    await expect(send(event, stop.signal)).rejects.toThrow('shutting down')
    expect(clock.pending()).toEqual([])
  })

  test('connections are reused', async () => {
    const { sink, agent, connections } = await serve(answering(202, {}, 'x'.repeat(1000)))
    const send = createSender({ sink, agent, timeoutMs: 5000, clock: systemClock })
    for (let count = 0; count < 20; count++) await send(event, never)
    // A socket becomes free one turn after the end of the response, so the next request may open a second one.
    expect(connections()).toBeLessThanOrEqual(2)
  })
})

describe('parseRetryAfter', () => {
  test.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['Sat, 21 Nov 2026 00:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 00:00:30 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is read as %j ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected)
  })
})
