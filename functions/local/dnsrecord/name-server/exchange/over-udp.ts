import { createSocket } from 'node:dgram'
import { type Reply, replyTo } from '../message.ts'
import type { Ask } from './ask.ts'
import type { ResolvedAddress } from './resolve-address.ts'

/**
 * Sends the message once. The socket has a random port and receives datagrams only from this server. Ignores datagrams
 * that are not the answer, and continues to wait.
 */
export const askOverUdp = (
  target: ResolvedAddress,
  { message, clock, signal, answerMs }: Ask,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(target.family === 6 ? 'udp6' : 'udp4')
    const end = (finish: () => void) => {
      cancel()
      signal.removeEventListener('abort', abort)
      socket
        .removeAllListeners('message')
        .removeAllListeners('error')
        .on('error', () => {})
      socket.close()
      finish()
    }
    const abort = () => end(() => reject(signal.reason))
    const cancel = clock.after(answerMs, () =>
      end(() =>
        reject(new Error(`no answer from ${target.host}:${target.port} by UDP within ${answerMs} ms`)),
      ),
    )
    signal.addEventListener('abort', abort, { once: true })
    socket.on('error', error => end(() => reject(error)))
    socket.on('message', bytes => {
      const reply = replyTo(message, bytes)
      if (reply !== undefined) end(() => resolve(reply))
    })
    socket.connect(target.port, target.host, () => socket.send(message.bytes))
  })
