import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53'
import { HttpRequest } from '@smithy/core/protocols'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { afterEach, expect, test, vi } from 'vitest'
import { clientSettings } from './client.ts'
import { createRequestHandler, type RequestHandlerOptions } from './request-handler.ts'

const emptyList = `<?xml version="1.0"?>
<ListHostedZonesResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
  <HostedZones/><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems>
</ListHostedZonesResponse>`

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const server of open.splice(0)) await server.close()
})

const listen = async (answer: (response: ServerResponse) => void) => {
  let connections = 0
  const server = createServer((_, response) => answer(response))
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections }
}

/** A server that answers at once or never, and clients that share one handler. */
const setUp = async (answers: 'at once' | 'never', options?: RequestHandlerOptions) => {
  const { port, connections } = await listen(response => {
    if (answers === 'at once') response.setHeader('content-type', 'text/xml').end(emptyList)
  })
  const requestHandler = createRequestHandler(options)
  const list = (signal?: AbortSignal) =>
    new Route53Client({
      ...clientSettings({ requestHandler, retryStrategy: new StandardRetryStrategy(1) }, 'us-west-2', {
        accessKeyId: 'AKIA',
        secretAccessKey: 's',
      }),
      endpoint: `http://127.0.0.1:${port}`,
    }).send(new ListHostedZonesCommand({}), signal ? { abortSignal: signal } : {})
  return { list, connections }
}

test('the clients of a process share one connection', async () => {
  const { list, connections } = await setUp('at once')
  for (let step = 0; step < 3; step++) await list()
  expect(connections()).toBe(1)
})

test('an attempt without an answer fails after its time', async () => {
  const { list } = await setUp('never', { requestTimeoutMs: 20 })
  await expect(list()).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('an abort ends a request that waits for its response', async () => {
  const { list } = await setUp('never')
  const abort = new AbortController()
  const request = list(abort.signal)
  abort.abort()
  await expect(request).rejects.toMatchObject({ name: 'AbortError' })
})

test('a call that waits for a slot is not subject to timeouts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const bodies: ServerResponse[] = []
  const { port, connections } = await listen(response => {
    response.write('begun')
    bodies.push(response)
  })
  const handler = createRequestHandler({ mostCalls: 1 })
  const call = () => handler.handle(new HttpRequest({ protocol: 'http:', hostname: '127.0.0.1', port }))
  // A call keeps its slot until its body has been read.
  const { response } = await call()
  response.body.resume()
  const waiting = call()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(bodies).toHaveLength(1)
  bodies[0]?.end()
  const second = await waiting
  expect(second.response.statusCode).toBe(200)
  expect(connections()).toBe(1)
})

test('an abort ends a call that waits for a slot', async () => {
  const { list } = await setUp('never', { mostCalls: 1 })
  const [first, second] = [new AbortController(), new AbortController()]
  const calls = [list(first.signal), list(second.signal)]
  second.abort()
  await expect(calls[1]).rejects.toMatchObject({ name: 'AbortError' })
  first.abort()
  await expect(calls[0]).rejects.toMatchObject({ name: 'AbortError' })
})
