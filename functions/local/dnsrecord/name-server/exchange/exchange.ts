import type { Clock } from '../../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../../shared/contract/message-of.ts'
import { type DnsMessage, longestDatagram, type Reply } from '../message.ts'
import type { NameServerTransport } from './transport.ts'

export interface ExchangeOptions {
  readonly transport: NameServerTransport
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What an error says first: `DNS update exchange failed`. */
  readonly failure: string
}

/** How long an answer may take, in ms: as long as Gardener's backend waits for it. */
export const answerMs = 2_000

/** What is waited for before a message is sent again, in ms: one try more than there are pauses. */
export const pausesMs: readonly number[] = [250, 1_000]

/**
 * Sends a message and waits for its answer: by UDP, by TCP where it is too large for that or the answer is. Messages and
 * answers get lost, so it is sent again; what is asked for here can be asked for twice.
 */
export const exchange = async (
  message: DnsMessage,
  { transport, clock, signal, failure }: ExchangeOptions,
): Promise<Reply> => {
  for (let attempt = 0; ; attempt++) {
    try {
      signal.throwIfAborted()
      const ask = { message, clock, signal, answerMs }
      if (message.bytes.length > longestDatagram) return await transport.tcp(ask)
      const reply = await transport.udp(ask)
      return reply.isTruncated ? await transport.tcp(ask) : reply
    } catch (error) {
      signal.throwIfAborted()
      const pauseMs = pausesMs[attempt]
      if (pauseMs === undefined) throw new Error(`${failure}: ${messageOf(error)}`, { cause: error })
      await clock.sleep(pauseMs, signal)
    }
  }
}
