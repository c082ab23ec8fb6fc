import type { Clock } from '../../../../shared/clock/clock.ts'
import { exchange } from './exchange/exchange.ts'
import type { NameServerTransport } from './exchange/transport.ts'
import { longestMessage, questionFor, type ReplyRecord, sameName, updateFor } from './message.ts'
import type { DesiredRecords, RecordKey } from './record-key.ts'

export interface NameServerOptions {
  /** The transport to the server. */
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
