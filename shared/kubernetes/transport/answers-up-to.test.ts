import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { openAccess } from '../access/cluster-access.ts'
import { createKubernetes, httpTransport } from '../kubernetes.ts'
import { answersUpTo } from './answers-up-to.ts'

const most = 1024 * 1024
const events = { group: '', version: 'v1', plural: 'events', namespaced: true } as const

/** An API server that sends an endless response until its connection is cut, and counts the sent bytes. */
const endless = async () => {
  let sent = 0
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"kind":"EventList","apiVersion":"v1","metadata":{},"items":[')
    const more = () => {
      while (!response.destroyed) {
        const chunk = `{"metadata":{"name":"a"},"message":"${'x'.repeat(64 * 1024)}"},`
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
    }
    request.socket.on('error', () => undefined)
    more()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const transport = httpTransport({ access: openAccess(url) })
  onTestFinished(() => transport.close())
  const kubernetes = createKubernetes({ transport: answersUpTo(most, transport.send), clock: systemClock })
  return { kubernetes, sent: () => sent, requests: () => requests }
}

const problem = 'the API server answered with more than 1048576 bytes; the rest was not read'

test.each([
  [
    'an object',
    (server: Awaited<ReturnType<typeof endless>>) =>
      server.kubernetes.get(events, { namespace: 'a', name: 'b' }),
  ],
  [
    'a list',
    (server: Awaited<ReturnType<typeof endless>>) => server.kubernetes.list(events, { namespace: 'a' }),
  ],
  [
    'a list that is read object by object',
    (server: Awaited<ReturnType<typeof endless>>) =>
      server.kubernetes.list(events, { namespace: 'a', each: () => undefined }),
  ],
])('%s without an end is read once, up to the limit', async (_, read) => {
  const server = await endless()
  await expect(read(server)).rejects.toThrow(problem)
  expect(server.requests()).toBe(1)
  // The system's buffers hold additional bytes.
  expect(server.sent()).toBeLessThan(16 * most)
})
