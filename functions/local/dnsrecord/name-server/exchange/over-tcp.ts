import { connect } from 'node:net'
import { type Reply, replyTo } from '../message.ts'
import type { Ask } from './ask.ts'
import type { ResolvedAddress } from './resolve-address.ts'

/** The number of bytes for the length before each TCP message (RFC 1035, section 4.2.2). */
const lengthBytes = 2

/** Sends the message once. */
export const askOverTcp = (
  target: ResolvedAddress,
  { message, clock, signal, answerMs }: Ask,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const where = `${target.host}:${target.port} by TCP`
    const socket = connect({ host: target.host, port: target.port })
    const end = (finish: () => void) => {
      cancel()
      signal.removeEventListener('abort', abort)
      socket.removeAllListeners().on('error', () => {})
      socket.destroy()
      finish()
    }
    const fail = (why: string) => end(() => reject(new Error(`${why} ${where}`)))
    const abort = () => end(() => reject(signal.reason))
    const cancel = clock.after(answerMs, () => fail(`no answer within ${answerMs} ms from`))
    signal.addEventListener('abort', abort, { once: true })
    socket.on('error', error => end(() => reject(error)))
    socket.on('close', () => fail('incomplete answer from'))
    let received: Buffer = Buffer.alloc(0)
    socket.on('data', bytes => {
      received = Buffer.concat([received, bytes])
      if (received.length < lengthBytes) return
      const length = received.readUInt16BE(0)
      if (received.length < lengthBytes + length) return
      const reply = replyTo(message, received.subarray(lengthBytes, lengthBytes + length))
      if (reply === undefined) fail('no matching answer from')
      else end(() => resolve(reply))
    })
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt16BE(message.bytes.length)
    socket.write(Buffer.concat([length, message.bytes]))
  })
