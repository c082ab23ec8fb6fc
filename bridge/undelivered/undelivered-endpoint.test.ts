import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { eventMessage } from '../../shared/events/events.ts'
import { sampleEvent } from '../../shared/events/testing/sample-event.ts'
import { createMetrics } from '../../shared/runtime/runtime.ts'
import type { LostEvent } from '../core/core.ts'
import { createRelay } from './relay.ts'
import { createUndelivered } from './undelivered-endpoint.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

/**
 * Replicas behind one Service, which gets requests one after the other. Returns its URL, and the events of each
 * replica.
 */
const start = async (leads: readonly boolean[]) => {
  const taken = leads.map((): LostEvent[] => [])
  const metrics = createMetrics()
  let url = ''
  const replicas = leads.map((leading, index) =>
    createUndelivered({
      bridge: () => ({
        leading: () => leading,
        lost: event => {
          taken[index]?.push(event)
          return 'sent again'
        },
      }),
      relay: headers => createRelay({ url, clock: systemClock })(headers),
      ...{ metrics, clock: systemClock, log: quiet },
    }),
  )
  let next = 0
  const server = createServer((request, response) => {
    if (!replicas[next++ % replicas.length]?.answer(request, response)) response.writeHead(404).end()
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/undelivered`
  return { url, taken, metrics }
}

const sent = eventMessage({ ...sampleEvent, sending: 'a-secret' })
const post = async (url: string, headers: Record<string, string> = sent.headers, body = sent.body) =>
  (await fetch(url, { method: 'POST', headers, body: Buffer.from(body) })).status

test('the bridge that leads takes an undelivered event', async () => {
  const { url, taken } = await start([true])
  expect(await post(url)).toBe(204)
  const { id, kind, namespace, name } = sampleEvent
  expect(taken).toEqual([
    [expect.objectContaining({ id, kind, key: { namespace, name }, sending: 'a-secret' })],
  ])
})

test('a replica that does not lead passes the event to the Service until the other has it', async () => {
  const { url, taken } = await start([false, false, false, true])
  expect(await post(url)).toBe(204)
  expect(taken.map(({ length }) => length)).toEqual([0, 0, 0, 1])
})

test('without a bridge that leads, the broker has to repeat it', async () => {
  const { url, metrics } = await start([false, false])
  expect(await post(url)).toBe(503)
  expect((await metrics.render()).text).toContain('trellis_bridge_dead_letters_total{outcome="postponed"} 7')
})

test.each([
  ['a message without an event', {}],
  ['an event of another system', { 'ce-id': '1', 'ce-type': 'x', 'ce-source': 'y', 'ce-specversion': '1.0' }],
  ['a structured event', { 'content-type': 'application/cloudevents+json' }],
])('%s is refused', async (_, headers) => {
  const { url, taken } = await start([true])
  expect(await post(url, headers)).toBe(400)
  expect(taken).toEqual([[]])
})

test('other paths and methods are for others', async () => {
  const { url } = await start([true])
  expect((await fetch(url)).status).toBe(404)
  expect(await post(url.replace('undelivered', 'reports'))).toBe(404)
})

test('a body of any size takes little memory', async () => {
  const { url } = await start([true])
  expect(await post(url, sent.headers, Buffer.alloc(100_000))).toBe(204)
})
