import { randomInt } from 'node:crypto'
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import type { DesiredRecords, RecordKey } from './record-key.ts'

/** A sent message, with the fields that its answer repeats. */
export interface DnsMessage {
  readonly bytes: Buffer
  readonly id: number
  readonly opcode: 'QUERY' | 'UPDATE'
  /** The question. For an update, its zone. */
  readonly question: { readonly name: string; readonly type: string }
}

export interface Reply {
  /** `NOERROR`, `NXDOMAIN`, `REFUSED` … */
  readonly rcode: string
  /** True if the server has authority for the zone, so that the TTLs are those that were set. */
  readonly isAuthoritative: boolean
  /** True if the answer exceeds the limit of UDP. */
  readonly isTruncated: boolean
  /** Empty for an update. */
  readonly records: readonly ReplyRecord[]
}

export interface ReplyRecord extends RecordKey {
  /** As text: an address, or a name without its final dot. */
  readonly value: string
  /** Seconds. */
  readonly ttl: number
}

/** The maximum size of a UDP message in bytes, unless negotiated otherwise (RFC 1035, section 4.2.1). */
export const longestDatagram = 512

/** The maximum size of a TCP message in bytes, because its length has two bytes. */
export const longestMessage = 65_535

const opcodes = { QUERY: 0, UPDATE: 5 } as const
const opcodeShift = 11

/** The numbers of the record types (RFC 1035, section 3.2.2; RFC 3596, section 2.1). */
const typeNumbers: Readonly<Record<RecordKey['type'], number>> = { A: 1, CNAME: 5, AAAA: 28 }

/** Returns the query for the records of a name and a type. It does not request recursion. */
export const questionFor = ({ name, type }: RecordKey): DnsMessage =>
  messageOf('QUERY', { name, type }, { questions: [{ name, type }] })

/**
 * Returns the update that replaces all records of a name and a type with the given ones. Without values it removes them
 * (RFC 2136, sections 2.5.1 and 2.5.2).
 */
export const updateFor = (
  zone: string,
  key: RecordKey,
  { values, ttl }: Pick<DesiredRecords, 'values' | 'ttl'> = { values: [], ttl: 0 },
): DnsMessage => {
  const { name, type } = key
  const clear = { name, type: rawType(type), class: 'ANY', ttl: 0, data: Buffer.alloc(0) } as Answer
  const add = values.map((data): Answer => ({ name, type, class: 'IN', ttl, data }))
  return messageOf(
    'UPDATE',
    { name: zone, type: 'SOA' },
    { questions: [{ name: zone, type: 'SOA' }], authorities: [clear, ...add] },
  )
}

/** A type by its number, so that dns-packet writes its data unchanged: here empty, which its own types do not allow. */
const rawType = (type: RecordKey['type']): Answer['type'] =>
  `UNKNOWN_${typeNumbers[type]}` as unknown as Answer['type']

const messageOf = (
  opcode: DnsMessage['opcode'],
  question: DnsMessage['question'],
  packet: Packet,
): DnsMessage => {
  const id = randomInt(0x1_0000)
  const flags = opcodes[opcode] << opcodeShift
  return { bytes: encode({ ...packet, type: 'query', id, flags }), id, opcode, question }
}

const headerLength = 12
const responseFlag = 0x8000

/**
 * Parses the answer to a message. Returns undefined for bytes that are not the answer: forged, late or broken. A server
 * may omit the zone in its answer to an update (RFC 2136, section 3.8).
 */
export const replyTo = ({ id, opcode, question }: DnsMessage, bytes: Buffer): Reply | undefined => {
  if (bytes.length < headerLength || bytes.readUInt16BE(0) !== id) return undefined
  const flags = bytes.readUInt16BE(2)
  if ((flags & responseFlag) === 0 || ((flags >> opcodeShift) & 0xf) !== opcodes[opcode]) return undefined
  const isTruncated = (flags & TRUNCATED_RESPONSE) !== 0
  const packet = decoded(isTruncated || opcode === 'UPDATE' ? beginningOf(bytes) : bytes)
  if (packet === undefined || !isAbout(packet, question, opcode)) return undefined
  return {
    rcode: (packet as { readonly rcode?: string }).rcode ?? '',
    isAuthoritative: (flags & AUTHORITATIVE_ANSWER) !== 0,
    isTruncated,
    records: (packet.answers ?? []).flatMap(recordOf),
  }
}

/**
 * The header and question only. The rest of the answer to an update may be records without data, which cannot be
 * decoded.
 */
const beginningOf = (bytes: Buffer): Buffer => Buffer.from(bytes).fill(0, 6, headerLength)

const decoded = (bytes: Buffer): Packet | undefined => {
  try {
    return decode(bytes)
  } catch {
    return undefined
  }
}

const isAbout = (
  { questions = [] }: Packet,
  question: DnsMessage['question'],
  opcode: DnsMessage['opcode'],
): boolean => {
  const [asked, ...others] = questions
  if (asked === undefined) return opcode === 'UPDATE'
  return others.length === 0 && asked.type === question.type && sameName(asked.name, question.name)
}

const recordOf = (answer: Answer): readonly ReplyRecord[] => {
  if (answer.type !== 'A' && answer.type !== 'AAAA' && answer.type !== 'CNAME') return []
  if (answer.class !== 'IN') return []
  return [{ name: answer.name, type: answer.type, value: answer.data, ttl: answer.ttl ?? 0 }]
}

/** Compares names. DNS ignores case and the final dot. */
export const sameName = (a: string, b: string): boolean => plainName(a) === plainName(b)

export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')
