import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { afterEach, expect, test } from 'vitest'
import { clientSettings } from './client.ts'
import { createRequestHandler, type RequestHandlerOptions } from './request-handler.ts'

const emptyList = `<?xml version="1.0"?>
<ListHostedZonesResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
  <HostedZones/><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems>
</ListHostedZonesResponse>`

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** A server that answers after a delay in ms or never, and clients that share one handler. */
const setUp = async (afterMs: number | 'never', options?: RequestHandlerOptions) => {
  let connections = 0
  const server = createServer((_, response) => {
    if (afterMs === 'never') return
    setTimeout(() => response.setHeader('content-type', 'text/xml').end(emptyList), afterMs)
  })
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
  const requestHandler = createRequestHandler(options)
  const list = (signal?: AbortSignal) =>
    new Route53Client({
      ...clientSettings({ requestHandler, retryStrategy: new StandardRetryStrategy(1) }, 'us-west-2', {
        accessKeyId: 'AKIA',
        secretAccessKey: 's',
      }),
      endpoint: `http://127.0.0.1:${port}`,
    }).send(new ListHostedZonesCommand({}), signal ? { abortSignal: signal } : {})
  return { list, connections: () => connections }
}

test('the clients of a process share one connection', async () => {
  const { list, connections } = await setUp(0)
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
  const { list, connections } = await setUp(60, {
    mostCalls: 2,
    connectTimeoutMs: 100,
    requestTimeoutMs: 200,
  })
  const calls = await Promise.allSettled(Array.from({ length: 16 }, () => list()))
  expect(calls.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(connections()).toBe(2)
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
