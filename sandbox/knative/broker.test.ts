import { afterEach, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { virtualClock } from '../../shared/clock/virtual-clock.ts'
import { encodeBinary, encodeStructured, type HttpMessage } from '../../shared/events/cloud-event.ts'
import { createSender } from '../../shared/events/send.ts'
import { fromCloudEvent, toCloudEvent } from '../../shared/events/wire.ts'
import { serveFunction } from '../../shared/runtime/host.ts'
import { createMetrics } from '../../shared/runtime/metrics.ts'
import { loadManifests } from './manifests.ts'
import {
  cleanUp,
  event,
  manifests,
  now,
  onCleanUp,
  quiet,
  start,
  subscriber,
  wired,
} from './testing/harness.ts'

const never = new AbortController().signal

afterEach(cleanUp)

describe('the ingress', () => {
  const post = async (url: string, { headers, body }: HttpMessage, method = 'POST') => {
    const init = method === 'GET' ? { method } : { method, headers: { ...headers }, body: Buffer.from(body) }
    const answer = await fetch(url, init)
    return [answer.status, await answer.text()]
  }

  it.each([
    ['binary', encodeBinary(wired)],
    ['structured', encodeStructured(wired)],
  ])('accepts an event in %s mode and delivers it, marked with its arrival', async (_, message) => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker, kinds } = await start({
      manifests: manifests('retry: 0'),
      resolve: async () => fn.url,
      clock: virtualClock(now),
    })
    expect(await post(broker.ingress('ns', 'default'), message)).toEqual([202, ''])
    await broker.idle()
    expect(kinds()).toEqual(['received', 'attempt', 'delivered'])
    expect(fn.received[0]?.event.attributes.knativearrivaltime).toBe('2026-11-21T00:00:00.000Z')
    expect(fn.received[0]?.headers).toMatchObject({ prefer: 'reply', 'kn-namespace': 'ns' })
    expect(fn.received[0]?.event.attributes.knativebrokerttl).toBeUndefined()
    expect(fromCloudEvent(fn.received[0]?.event ?? wired)).toEqual(event)
  })

  it.each<[string, string, HttpMessage, string, number]>([
    ['no event', '/ns/default', { headers: {}, body: Buffer.from('{}') }, 'POST', 400],
    [
      'an event without id',
      '/ns/default',
      { headers: { ...encodeBinary(wired).headers, 'ce-id': '' }, body: Buffer.from('{}') },
      'POST',
      400,
    ],
    ['another broker', '/ns/other', encodeBinary(wired), 'POST', 404],
    ['no broker', '/', encodeBinary(wired), 'POST', 404],
    ['a path that is too long', '/ns/default/x', encodeBinary(wired), 'POST', 404],
    ['a GET', '/ns/default', encodeBinary(wired), 'GET', 405],
    ['2 MiB', '/ns/default', { ...encodeBinary(wired), body: Buffer.alloc(2 ** 21) }, 'POST', 413],
    [
      'an event that went round too often',
      '/ns/default',
      { ...encodeBinary(wired), headers: { ...encodeBinary(wired).headers, 'ce-knativebrokerttl': '1' } },
      'POST',
      400,
    ],
  ])('refuses %s', async (_, path, message, method, status) => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    expect(await post(`${broker.url}${path}`, message, method)).toEqual([status, ''])
    await broker.idle()
    expect(fn.received).toEqual([])
    expect(broker.counts().received).toBe(0)
  })

  it('counts an event that no Trigger wants and gives it to nobody', async () => {
    const fn = await subscriber(() => ({ status: 204 }))
    const { broker } = await start({ manifests: manifests('retry: 0'), resolve: async () => fn.url })
    const unknown = toCloudEvent({ ...event, kind: 'Teapot' })
    expect(broker.publish(unknown, 'ns', 'default')).toBe('accepted')
    await broker.idle()
    expect(broker.counts()).toMatchObject({ received: 1, unmatched: 1, attempt: 0 })
    expect(fn.received).toEqual([])
  })
})

it('brings an event from the sender through the manifests of the cluster to a function', async () => {
  const clock: Clock = systemClock
  const handled: unknown[] = []
  const host = await serveFunction({
    handle: async received => {
      handled.push(received)
      return { kind: 'recorded' }
    },
    accepts: ({ kind, provider }) => kind === 'DNSRecord' && provider === 'aws-route53',
    settings: { host: '127.0.0.1', port: 0, maxConcurrency: 0, bodyTimeoutMs: 5000, drainMs: 1000 },
    metrics: createMetrics(),
    log: quiet,
    clock,
  })
  onCleanUp(() => host.close())
  const asked: string[] = []
  const { broker } = await start({
    manifests: await loadManifests([new URL('../../knative', import.meta.url).pathname]),
    resolve: async (name, namespace) => {
      asked.push(`${namespace}/${name}`)
      return host.url
    },
  })
  const send = createSender({ sink: broker.ingress('trellis', 'default'), timeoutMs: 5000, clock })
  expect(await send(event, never)).toEqual({ kind: 'accepted' })
  expect(await send({ ...event, provider: 'google-clouddns' }, never)).toEqual({ kind: 'accepted' })
  await broker.idle()
  expect(handled).toEqual([event])
  expect(asked).toEqual(['trellis/aws-dnsrecord'])
  expect(broker.counts()).toMatchObject({ received: 2, unmatched: 1, delivered: 1, 'dead-letter': 0 })
})
