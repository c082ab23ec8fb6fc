import type { Clock } from '../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { NameServerTransport } from './exchange/transport.ts'
import {
  type DnsMessage,
  longestDatagram,
  longestMessage,
  questionFor,
  type Reply,
  type ReplyRecord,
  sameName,
  updateFor,
} from './message.ts'
import type { DesiredRecords, RecordKey } from './record-key.ts'

export interface NameServerOptions {
  readonly transport: NameServerTransport
  /** The zone of which the server is the primary: `example.org`. */
  readonly zone: string
  readonly clock: Clock
}

/** The primary name server of a zone. */
export interface NameServerClient {
  /**
   * Returns the records of a name and a type, or undefined if they are unknown. A server without authority for the zone
   * answers from a cache, with decreasing TTLs.
   */
  read(key: RecordKey, signal: AbortSignal): Promise<readonly ReplyRecord[] | undefined>
  /** Replaces the records, or removes them if none are desired. Throws if the server refuses or does not answer. */
  write(key: RecordKey, desired: DesiredRecords | undefined, signal: AbortSignal): Promise<void>
}

/** The meaning of a response code to an update, if the name of the code is not clear. */
const hints: Readonly<Record<string, string>> = {
  NOTAUTH: 'it is not the primary server of the zone',
  NOTIMP: 'it does not support updates',
  NOTZONE: 'the name is not in the zone',
  REFUSED: 'it refuses updates of the zone from this address',
}

export const createNameServerClient = ({ transport, zone, clock }: NameServerOptions): NameServerClient => ({
  read: async (key, signal) => {
    const { rcode, isAuthoritative, records } = await exchange(questionFor(key), {
      transport,
      clock,
      signal,
      failure: 'DNS query exchange failed',
    })
    if (!isAuthoritative || (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')) return undefined
    return records.filter(({ name, type }) => type === key.type && sameName(name, key.name))
  },

  write: async (key, desired, signal) => {
    const update = updateFor(zone, key, desired)
    if (update.bytes.length > longestMessage)
      throw new Error(
        `DNS update of ${key.name} has ${update.bytes.length} bytes, more than the limit of ${longestMessage}`,
      )
    const { rcode } = await exchange(update, {
      transport,
      clock,
      signal,
      failure: 'DNS update exchange failed',
    })
    if (rcode === 'NOERROR') return
    const hint = hints[rcode]
    throw new Error(
      `DNS update failed with rcode: ${rcode}${hint === undefined ? '' : `: the name server reports for zone ${zone}: ${hint}`}`,
    )
  },
})

interface ExchangeOptions {
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
const exchange = async (
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
