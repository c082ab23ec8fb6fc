import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CloudEvent, emitterFor, HTTP, httpTransport, Mode } from 'cloudevents'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { parseEvent } from './read-event.ts'
import { createSender } from './send.ts'
import { sampleEvent } from './testing/sample-event.ts'
import { type ContentMode, eventJson } from './write-event.ts'

/**
 * A program of an author with the plain CloudEvents SDK, as its documentation writes it, receives events of the bridge
 * and sends events to a function.
 */
const modes: readonly ContentMode[] = ['binary', 'structured']
const close: (() => void)[] = []
afterEach(() => {
  for (const one of close.splice(0)) one()
})

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  close.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const bodyOf = async (request: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test.each(modes)('a program with the SDK receives an event of the bridge in %s mode', async mode => {
  const received: unknown[] = []
  const sink = await listen(async (request, response) => {
    const body = String(await bodyOf(request))
    received.push(HTTP.toEvent({ headers: request.headers, body }))
    response.writeHead(204).end()
  })
  const send = createSender({ sink, mode, timeoutMs: 10_000, clock: systemClock })
  expect(await send(sampleEvent, new AbortController().signal)).toEqual({ kind: 'accepted' })
  expect(received).toHaveLength(1)
  const json = eventJson(sampleEvent)
  expect(JSON.parse(String(received[0]))).toEqual(json)
  expect(json).toMatchObject({ data: sampleEvent.data, objectuid: 'u-1', attempt: '0' })
})

test.each([
  ['binary', Mode.BINARY],
  ['structured', Mode.STRUCTURED],
] as const)('a function reads an event that a program sends with the SDK in %s mode', async (_, mode) => {
  const received: unknown[] = []
  const url = await listen(async (request, response) => {
    received.push(parseEvent(request.headersDistinct, await bodyOf(request)))
    response.writeHead(204).end()
  })
  const { operation: _operation, ...attributes } = sampleEvent
  const emit = emitterFor(httpTransport(url), { mode })
  // Numbers as an author writes them; the SDK sends them as text in a header, and as numbers in JSON.
  await emit(new CloudEvent({ ...attributes, datacontenttype: 'application/json' }))
  expect(received).toEqual([sampleEvent])
})
