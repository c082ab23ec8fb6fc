import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpSender } from './http-sender.ts'

const serving = async <T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

const request = (url: string, signal = new AbortController().signal) =>
  ({ method: 'POST', url, headers: { 'x-a': 'b' }, body: 'ä', tls: {}, signal }) as const

test('sends headers and body, and returns the answer', async () => {
  const answer = await serving(
    (incoming, outgoing) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        outgoing.writeHead(409, { 'X-Openstack-Request-Id': 'req-1' })
        outgoing.end(`${incoming.headers['x-a']} ${Buffer.concat(chunks).toString()}`)
      })
    },
    url => createHttpSender({ environment: {} })(request(url)),
  )
  expect(answer).toMatchObject({ status: 409, body: 'b ä', headers: { 'x-openstack-request-id': 'req-1' } })
})

test('a request without an answer ends at its limit, or with its signal', async () => {
  await serving(
    () => {},
    async url => {
      const send = createHttpSender({ environment: {}, timeoutMs: 20 })
      await expect(send(request(url))).rejects.toMatchObject({ code: 'ETIMEDOUT' })
      const ended = new AbortController()
      const pending = createHttpSender({ environment: {} })(request(url, ended.signal))
      ended.abort()
      await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
    },
  )
})

test('an answer that is too large is refused', async () => {
  const send = createHttpSender({ environment: {} })
  const work = serving(
    (_, outgoing) => {
      for (let megabyte = 0; megabyte < 17; megabyte++) outgoing.write('a'.repeat(1024 * 1024))
      outgoing.end()
    },
    url => send(request(url)),
  )
  await expect(work).rejects.toThrow('the answer has more than 16777216 bytes')
})

test('an answer that breaks off is an error', async () => {
  const work = serving(
    (_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '10' })
      outgoing.write('abc')
      setImmediate(() => outgoing.destroy())
    },
    url => createHttpSender({ environment: {} })(request(url)),
  )
  await expect(work).rejects.toThrow()
})
