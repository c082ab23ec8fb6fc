import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { createSender } from './send.ts'
import { sampleEvent } from './testing/sample-event.ts'

/** A server that answers a request with this text again and again, until the connection is closed. */
const endless = async (text: string) => {
  let bytes = 0
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    const more = () => {
      while (!socket.destroyed) {
        bytes += text.length
        if (!socket.write(text)) return
      }
    }
    socket.on('error', () => undefined)
    socket.on('drain', more)
    socket.once('data', more)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return { sink: `http://127.0.0.1:${address.port}/`, bytes: () => bytes }
}

test.each([
  ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('a sink that answers %s without end is given up after ten', async (_, text) => {
  const { sink, bytes } = await endless(text)
  const send = createSender({ sink, timeoutMs: 60_000, clock: systemClock })
  const outcome = await send(sampleEvent, new AbortController().signal)
  expect(outcome).toMatchObject({
    kind: 'retry',
    reason: expect.stringContaining('the server sent more than 10 informational responses (1xx)'),
  })
  // What the buffers of the connection hold.
  expect(bytes()).toBeLessThan(32 * 1024 * 1024)
})
