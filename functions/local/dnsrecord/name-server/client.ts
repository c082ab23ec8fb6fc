import type { Clock } from '../../../../shared/clock/clock.ts'
import { exchange } from './exchange/exchange.ts'
import type { NameServerTransport } from './exchange/transport.ts'
import { longestMessage, questionFor, type ReplyRecord, sameName, updateFor } from './message.ts'
import type { DesiredRecords, RecordKey } from './record-key.ts'

export interface NameServerOptions {
  /** How it is reached. */
  readonly transport: NameServerTransport
  /** The zone whose primary server that is: `example.org`. */
  readonly zone: string
  readonly clock: Clock
}

/** The primary name server of a zone. */
export interface NameServerClient {
  /**
   * The records of a name and a type. Undefined: nobody can say. The answer of a server that has not got the zone
   * itself is another's, of a while ago, with times to live that run down.
   */
  read(key: RecordKey, signal: AbortSignal): Promise<readonly ReplyRecord[] | undefined>
  /** Replaces them, or removes them where there are to be none. Throws when the server refuses or does not answer. */
  write(key: RecordKey, desired: DesiredRecords | undefined, signal: AbortSignal): Promise<void>
}

/** What an answer means for who has asked for an update, where its name does not tell. */
const hints: Readonly<Record<string, string>> = {
  NOTAUTH: 'it is not the primary server of that zone',
  NOTIMP: 'it takes no updates',
  NOTZONE: 'the name is not in that zone',
  REFUSED: 'it takes no updates of that zone from here',
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
        `DNS update of ${key.name} has ${update.bytes.length} bytes; there can be ${longestMessage}`,
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
      `DNS update failed with rcode: ${rcode}${hint === undefined ? '' : `: the name server says of zone ${zone} that ${hint}`}`,
    )
  },
})
