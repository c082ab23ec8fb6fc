/** An in-memory primary name server of one zone: answers questions, applies updates (RFC 2136), and injects faults. */
import { createNameServerFaults, type NameServerFault, type NameServerFaults } from './faults.ts'
import { type ListeningNameServer, listen } from './listen.ts'
import { type DnsRequest, readRequest } from './request.ts'
import { type DnsResponse, writeResponse } from './response.ts'
import { createZone, plainName, type ResponseCode, type ServedZone, type StoredRecord } from './zone.ts'

export type { NameServerFault, NameServerFaultOrder } from './faults.ts'
export type { ListeningNameServer } from './listen.ts'
export type { StoredRecord } from './zone.ts'

/** A received message and its response; undefined: no response. */
export interface NameServerCall
  extends Pick<DnsRequest, 'opcode' | 'question' | 'updates' | 'recursionDesired'> {
  readonly over: 'udp' | 'tcp'
  readonly rcode: ResponseCode | undefined
}

export interface NameServer {
  readonly zone: string
  /** Answers the bytes of a message; undefined: no response. */
  answer(message: Uint8Array, over: 'udp' | 'tcp'): Buffer | undefined
  /** Serves on 127.0.0.1, UDP and TCP on one port. 0: the system chooses. */
  listen(options: { readonly port: number }): Promise<ListeningNameServer>
  /** Returns all records by name and type. */
  records(): readonly StoredRecord[]
  /** Stores records, as another client would. */
  set(...records: readonly StoredRecord[]): void
  /** Removes all records. */
  clear(): void
  readonly faults: Pick<NameServerFaults, 'add'>
  /** Calls the listener with every message from now on. The returned function unsubscribes. */
  onCall(listener: (call: NameServerCall) => void): () => void
}

export const createNameServer = ({ zone: name }: { readonly zone: string }): NameServer => {
  const zone = createZone(name)
  const faults = createNameServerFaults()
  const listeners = new Set<(call: NameServerCall) => void>()

  const answers = (message: Uint8Array, over: 'udp' | 'tcp'): readonly Buffer[] => {
    const request = readOrRefuse(Buffer.from(message))
    if (request === undefined) return []
    const fault = faults.meet(request.opcode)
    const response = responseTo(zone, plainName(name), request, fault)
    const { opcode, question, updates, recursionDesired } = request
    const isAnswered = response !== undefined && fault?.kind !== 'drop-answer'
    for (const listener of listeners)
      listener({
        opcode,
        question,
        updates,
        recursionDesired,
        over,
        rcode: isAnswered ? response.rcode : undefined,
      })
    if (!isAnswered) return []
    const whole = writeResponse(request, response, { over, truncate: fault?.kind === 'truncate' })
    return fault?.kind === 'forge' ? [forged(request, fault.what, over), whole] : [whole]
  }

  return {
    zone: name,
    answer: (message, over) => answers(message, over).at(-1),
    listen: options => listen(answers, options),
    records: zone.all,
    set: (...records) => {
      zone.update(records.map(record => ({ ...record, class: 'IN' })))
    },
    clear: () => {
      zone.update(zone.all().map(({ name, type }) => ({ name, type, class: 'ANY', ttl: 0, data: undefined })))
    },
    faults,
    onCall: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Bytes that are not a message are ignored. */
const readOrRefuse = (bytes: Buffer): DnsRequest | undefined => {
  try {
    return readRequest(bytes)
  } catch {
    return undefined
  }
}

const responseTo = (
  zone: ServedZone,
  origin: string,
  request: DnsRequest,
  fault: NameServerFault | undefined,
): DnsResponse | undefined => {
  if (fault?.kind === 'drop') return undefined
  if (fault?.kind === 'refuse') return { rcode: fault.rcode, isAuthoritative: false, answers: [] }
  switch (request.opcode) {
    case 'UPDATE':
      return { rcode: updated(zone, origin, request), isAuthoritative: false, answers: [] }
    case 'QUERY': {
      const response = answered(zone, origin, request)
      if (fault?.kind !== 'cached') return response
      const answers = response.answers.map(record => ({
        ...record,
        ttl: Math.max(record.ttl - fault.age, 0),
      }))
      return { ...response, isAuthoritative: false, answers }
    }
    default:
      return { rcode: 'NOTIMP', isAuthoritative: false, answers: [] }
  }
}

const updated = (
  zone: ServedZone,
  origin: string,
  { question, prerequisites, updates }: DnsRequest,
): ResponseCode => {
  if (question.type !== 'SOA') return 'FORMERR'
  if (plainName(question.name) !== origin) return 'NOTAUTH'
  // Prerequisites are not supported: requested records are written unconditionally.
  return prerequisites > 0 ? 'NOTIMP' : zone.update(updates)
}

const answered = (zone: ServedZone, origin: string, { question }: DnsRequest): DnsResponse => {
  const { name, type } = question
  if (!zone.holds(name)) return { rcode: 'REFUSED', isAuthoritative: false, answers: [] }
  const present = [...zone.at(name), ...(plainName(name) === origin ? [startOf(zone, origin)] : [])]
  const [alias] = present.filter(record => record.type === 'CNAME')
  const answers =
    alias !== undefined && type !== 'CNAME' && type !== 'ANY'
      ? [alias]
      : present.filter(record => type === 'ANY' || record.type === type)
  const isThere = answers.length > 0 || plainName(name) === origin || zone.isThere(name)
  return { rcode: isThere ? 'NOERROR' : 'NXDOMAIN', isAuthoritative: true, answers }
}

const startOf = (zone: ServedZone, origin: string): StoredRecord => ({
  name: origin,
  type: 'SOA',
  ttl: 60,
  data: {
    mname: `ns.${origin}`,
    rname: `hostmaster.${origin}`,
    serial: zone.serial(),
    refresh: 3_600,
    retry: 600,
    expire: 86_400,
    minimum: 60,
  },
})

/** Returns an untrustworthy response, with an address that the name does not have. */
const forged = (request: DnsRequest, what: 'id' | 'question', over: 'udp' | 'tcp'): Buffer => {
  const { id, opcode, question } = request
  const name = what === 'question' ? `other.${question.name}` : question.name
  return writeResponse(
    { id: what === 'id' ? (id + 1) % 0x1_0000 : id, opcode, question: { ...question, name } },
    { rcode: 'REFUSED', isAuthoritative: true, answers: [] },
    { over },
  )
}
