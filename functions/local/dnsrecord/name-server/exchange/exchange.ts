import type { Clock } from '../../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import { type DnsMessage, longestDatagram, type Reply } from '../message.ts'
import type { NameServerTransport } from './transport.ts'

export interface ExchangeOptions {
  readonly transport: NameServerTransport
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The beginning of its errors: `DNS update exchange failed`. */
  readonly failure: string
}

/** The time limit for an answer, in milliseconds. The same as in Gardener's backend. */
const answerMs = 2_000

/** The pauses before each retry, in milliseconds. There is one more attempt than pauses. */
const pausesMs: readonly number[] = [250, 1_000]

/**
 * Sends a message and waits for its answer. Uses UDP, or TCP if the message or the answer is too large. Messages and
 * answers get lost, so it retries. All messages here may be sent twice.
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
