import type { NameServerAddress } from '../address.ts'
import { type Reply, replyTo } from '../message.ts'
import type { Ask } from './ask.ts'
import { askOverTcp } from './over-tcp.ts'
import { askOverUdp } from './over-udp.ts'
import { resolveAddress } from './resolve-address.ts'

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
