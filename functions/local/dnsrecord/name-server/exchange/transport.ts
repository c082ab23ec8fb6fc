import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import type { Clock } from '../../../../../shared/clock/clock.ts'
import type { NameServerAddress } from '../address.ts'
import { type DnsMessage, type Reply, replyTo } from '../message.ts'

interface ResolvedAddress {
  readonly host: string
  readonly port: number
  readonly family: 4 | 6
}

/** Returns the current address: that of a name server in a cluster changes. */
const resolveAddress = async ({ host, port }: NameServerAddress): Promise<ResolvedAddress> => {
  const { address, family } = await lookup(host)
  return { host: address, port, family: family === 6 ? 6 : 4 }
}

/** One attempt to get an answer. */
interface Ask {
  readonly message: DnsMessage
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The time limit, in milliseconds. */
  readonly answerMs: number
}

/** The connection to a name server. Each call sends once, and rejects if no answer arrives. */
export interface NameServerTransport {
  udp(ask: Ask): Promise<Reply>
  tcp(ask: Ask): Promise<Reply>
}

export const overNetwork = (address: NameServerAddress): NameServerTransport => ({
  udp: async ask => askOverUdp(await resolveAddress(address), ask),
  tcp: async ask => askOverTcp(await resolveAddress(address), ask),
})

/**
 * Returns the answer of a name server in this process to a message. Undefined means no answer, as if the message were
 * lost.
 */
export type AnswerMessage = (
  message: Uint8Array,
  over: 'udp' | 'tcp',
) => Uint8Array | undefined | Promise<Uint8Array | undefined>

/** A name server in this process, without a socket. */
export const inMemory = (answer: AnswerMessage): NameServerTransport => {
  const askOver =
    (over: 'udp' | 'tcp') =>
    async ({ message, clock, signal, answerMs }: Ask): Promise<Reply> => {
      const bytes = await answer(message.bytes, over)
      const reply = bytes && replyTo(message, Buffer.from(bytes))
      if (reply !== undefined) return reply
      await clock.sleep(answerMs, signal)
      throw new Error(`no answer by ${over} within ${answerMs} ms`)
    }
  return { udp: askOver('udp'), tcp: askOver('tcp') }
}

/** The number of bytes for the length before each TCP message (RFC 1035, section 4.2.2). */
const lengthBytes = 2

const askOverTcp = (target: ResolvedAddress, { message, clock, signal, answerMs }: Ask): Promise<Reply> =>
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

/**
 * Sends the message once. The socket has a random port and receives datagrams only from this server. Ignores datagrams
 * that are not the answer, and continues to wait.
 */
const askOverUdp = (target: ResolvedAddress, { message, clock, signal, answerMs }: Ask): Promise<Reply> =>
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
