import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { describe, expect, test, vi } from 'vitest'
import type { ExtensionEvent, HttpMessage } from '../events/events.ts'
import { attributeLimits, eventMessage } from '../events/events.ts'
import { sampleEvent as event } from '../events/testing/sample-event.ts'
import { eventLimitBytes, type HandleOutcome } from './answer-events.ts'
import { quiet, raw, recorded, useHosts } from './testing/use-hosts.ts'

describe('the host', () => {
  const { start, get, refusals, agent } = useHosts()

  test.each(['binary', 'structured'] as const)('passes on an event received in %s mode', async mode => {
    const handle = vi.fn(async (_: ExtensionEvent) => recorded)
    const { send, answers } = await start({ handle })
    expect(await send(eventMessage(event, mode))).toEqual({ status: 204, retryAfter: undefined })
    expect(handle.mock.calls.map(([received]) => received)).toEqual([event])
    expect(await answers()).toEqual({ recorded: 1 })
  })

  test.each<[HandleOutcome, number, string | undefined]>([
    [{ kind: 'recorded' }, 204, undefined],
    [{ kind: 'busy', retryAfterSeconds: 2.1 }, 503, '3'],
    [{ kind: 'busy', retryAfterSeconds: 0 }, 503, '1'],
    [{ kind: 'unrecorded', reason: 'API server unreachable' }, 503, undefined],
  ])('answers %j with %i', async (outcome, status, retryAfter) => {
    const { send, answers } = await start({ handle: async () => outcome })
    expect(await send(eventMessage(event))).toEqual({ status, retryAfter })
    expect(await answers()).toEqual({ [outcome.kind]: 1 })
  })

  test('answers 503 when the handler fails, and keeps running', async () => {
    const error = vi.fn()
    const { send } = await start({
      handle: async () => {
        throw new Error('bug')
      },
      log: { ...quiet, error },
    })
    expect((await send(eventMessage(event))).status).toBe(503)
    expect((await send(eventMessage(event))).status).toBe(503)
    expect(error).toHaveBeenCalledWith('handler failed', expect.objectContaining({ id: event.id }))
  })

  const good = eventMessage(event)
  const padded = (bytes: number): HttpMessage => ({
    ...good,
    body: Buffer.concat([good.body, Buffer.alloc(bytes - good.body.length, ' ')]),
  })
  test.each<[string, HttpMessage, string, RegExp]>([
    [
      'a request that is no event',
      { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
      'malformed',
      /\w/,
    ],
    ['no body and no headers', { headers: {}, body: Buffer.alloc(0) }, 'malformed', /\w/],
    ['broken JSON', { ...good, body: Buffer.from('{"a":') }, 'malformed', /not valid JSON/],
    [
      'an unknown operation',
      { ...good, headers: { ...good.headers, 'ce-type': 'x.y' } },
      'malformed',
      /type: expected a name that ends in one of reconcile/,
    ],
    [
      'a batch',
      { headers: { 'content-type': 'application/cloudevents-batch+json' }, body: Buffer.from('[]') },
      'malformed',
      /batches of events are not supported/,
    ],
    ['an event of more than 1 MiB', padded(eventLimitBytes + 1), 'too-large', /larger than 1048576 bytes/],
    ['an event of many MiB', padded(eventLimitBytes * 8), 'too-large', /larger than 1048576 bytes/],
    [
      'an event for another function',
      eventMessage({ ...event, provider: 'google-clouddns' }),
      'foreign',
      /not for this function: kind DNSRecord, provider google-clouddns/,
    ],
  ])(
    'answers 400 to %s with the reason, counts it and calls no handler',
    async (_, message, outcome, why) => {
      const handle = vi.fn(async () => recorded)
      const { send, answers } = await start({ handle, accepts: ({ provider }) => provider === 'aws-route53' })
      expect((await send(message)).status).toBe(400)
      expect(refusals()).toEqual([expect.stringMatching(why)])
      expect(await answers()).toEqual({ [outcome]: 1 })
      expect(handle).not.toHaveBeenCalled()
    },
  )

  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const object = JSON.parse(Buffer.from(good.body).toString())
  const withData = (data: string) => ({ ...good, body: Buffer.from(data) })
  const structured = (data: string): HttpMessage => {
    const whole = eventMessage(event, 'structured')
    const { data: _, ...attributes } = JSON.parse(Buffer.from(whole.body).toString())
    const body = Buffer.from(`${JSON.stringify(attributes).slice(0, -1)},"data":${data}}`)
    return { headers: whole.headers, body }
  }
  const nested = (levels: number, open = '{"a":', close = '}') =>
    `${JSON.stringify(object).slice(0, -1)},"deep":${open.repeat(levels)}1${close.repeat(levels)}}`
  const keys = (count: number) =>
    `${JSON.stringify(object).slice(0, -1)},${Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join()}}`

  test.each<[string, HttpMessage, number, string]>([
    ...[5_000, 10_000, 100_000].flatMap(levels =>
      [
        ['objects in binary mode', withData(nested(levels))] as const,
        ['objects in structured mode', structured(nested(levels))] as const,
        ['lists in binary mode', withData(nested(levels, '[', ']'))] as const,
        ['lists in structured mode', structured(nested(levels, '[', ']'))] as const,
      ].map(([what, message]): [string, HttpMessage, number, string] => [
        `${levels} levels of ${what}`,
        message,
        400,
        'malformed',
      ]),
    ),
    ['a million levels', withData(nested(1_000_000)), 400, 'too-large'],
    ['a deep document that is no event', withData(deep(100_000)), 400, 'malformed'],
    ['400 levels', structured(nested(400)), 204, 'recorded'],
    ['55,000 fields', structured(keys(55_000)), 204, 'recorded'],
    [
      '55,000 attributes',
      { ...structured('1'), body: Buffer.from(`{"data":1,${keys(55_000).slice(1)}`) },
      400,
      'malformed',
    ],
  ])('answers an event of %s, and keeps running', async (_, message, status, outcome) => {
    const { send, answers } = await start()
    expect((await send(message)).status).toBe(status)
    expect(await answers()).toEqual({ [outcome]: 1 })
    expect((await send(good)).status).toBe(204)
  })

  test('accepts an event of exactly 1 MiB', async () => {
    const { send } = await start()
    expect((await send(padded(eventLimitBytes))).status).toBe(204)
  })

  test.each([
    ['POST', '/other'],
    ['PUT', '/'],
  ] as const)('answers 400 to %s %s', async (method, path) => {
    const { send, answers } = await start()
    expect((await send(good, path, method)).status).toBe(400)
    expect(refusals()).toEqual(['send events by POST to /\n'])
    expect(await answers()).toEqual({ 'not-an-event': 1 })
  })

  test.each([
    ['text that is not HTTP', 'hello\r\n\r\n', '400'],
    ['headers without end', `POST / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '400'],
    [
      'an expectation',
      'POST / HTTP/1.1\r\nhost: localhost\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
      '400',
    ],
  ])('answers 400, never another 4xx, to %s', async (_, text, status) => {
    const { host } = await start()
    const [head = '', body = ''] = (await raw(host, text)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(body).toMatch(/^\w.*\n$/)
    expect(head.toLowerCase()).toContain(`content-length: ${body.length}`)
  })

  test('limits the reason to the kilobyte that a dead letter retains, for any event', async () => {
    const { send } = await start({ accepts: () => false })
    const longest = '€'.repeat(attributeLimits.provider)
    expect((await send(eventMessage({ ...event, provider: longest }, 'structured'))).status).toBe(400)
    expect(Buffer.byteLength(refusals()[0] ?? '')).toBeLessThanOrEqual(1024)
    expect(refusals()[0]).toContain(`: kind DNSRecord, provider ${longest}`)
  })

  test('continues when a client disconnects in the middle of a body', async () => {
    const { host, send } = await start()
    const socket = connect(host.port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
    await once(socket, 'connect')
    socket.destroy()
    expect((await send(good)).status).toBe(204)
  })

  test('does not abort a step after its client disconnects', async () => {
    const began = Promise.withResolvers<AbortSignal>()
    const release = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<boolean>()
    const { host, send } = await start({
      handle: async (_, signal) => {
        began.resolve(signal)
        await release.promise
        ended.resolve(signal.aborted)
        return recorded
      },
    })
    const gone = new AbortController()
    const lost = request(host.url, {
      method: 'POST',
      headers: { ...good.headers },
      body: good.body,
      signal: gone.signal,
      dispatcher: agent(),
    })
    await began.promise
    gone.abort()
    await expect(lost).rejects.toThrow()
    release.resolve()
    expect(await ended.promise).toBe(false)
    expect((await send(good)).status).toBe(204)
  })

  test('handles events concurrently, up to the limit', async () => {
    const release = Promise.withResolvers<void>()
    const both = Promise.withResolvers<void>()
    let running = 0
    const { send, answers } = await start(
      {
        handle: async () => {
          if (++running === 2) both.resolve()
          await release.promise
          return recorded
        },
      },
      { maxConcurrency: 2 },
    )
    const first = [send(good), send(good)]
    await both.promise
    expect(await send(good)).toEqual({ status: 503, retryAfter: '1' })
    release.resolve()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([204, 204])
    expect(await answers()).toEqual({ recorded: 2, full: 1 })
  })

  test('serves liveness, readiness and metrics without a request body', async () => {
    const { host, send } = await start()
    expect(await get(host, '/health/liveness')).toEqual({ status: 200, text: '' })
    expect(await get(host, '/health/readiness')).toEqual({ status: 200, text: '' })
    await send(good)
    const { text } = await get(host, '/metrics')
    expect(text).toContain(
      'trellis_function_event_seconds_count{operation="reconcile",outcome="recorded",function="test"} 1',
    )
    expect(text).toContain('trellis_function_events_in_flight{function="test"} 0')
  })

  test('keeps an idle connection open longer than a proxy would', async () => {
    const { host } = await start()
    const { headers } = await request(`${host.url}/health/liveness`, { dispatcher: agent() })
    expect(Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1])).toBeGreaterThanOrEqual(120)
  })
})
