import * as dnsPacket from 'dns-packet'

/** A record as it is stored, and as an update names it. */
export interface WireRecord {
  readonly name: string
  readonly type: string
  /** `IN`; of an update also `ANY`, and `NONE`. */
  readonly class: string
  readonly ttl: number
  /** As dns-packet has it: a text for the types that are asked for here. Undefined: it has no data. */
  readonly data: unknown
}

export interface DnsRequest {
  readonly id: number
  readonly opcode: string
  readonly recursionDesired: boolean
  /** Of an update: the zone. */
  readonly question: { readonly name: string; readonly type: string }
  /** How many there are. */
  readonly prerequisites: number
  /** Of an update, in their order. */
  readonly updates: readonly WireRecord[]
}

interface DnsCodec<T> {
  readonly decode: ((bytes: Buffer, offset: number) => T) & { readonly bytes: number }
}

/** What its types leave out. */
const codecs = dnsPacket as unknown as {
  readonly name: DnsCodec<string>
  readonly answer: DnsCodec<{
    readonly name: string
    readonly type: string
    readonly class: string
    readonly ttl?: number
    readonly data?: unknown
  }>
}

const headerLength = 12
const countOffsets = { prerequisites: 6, updates: 8 } as const
/** Type, class, time to live and length, between the name and the data of a record. */
const fieldsLength = 10
const noneClass = 'UNKNOWN_254'

/** Reads a message as it came. Throws what dns-packet throws of bytes that are none. */
export const readRequest = (bytes: Buffer): DnsRequest => {
  // Records without data, as updates have them, are none to dns-packet: so the header and the question first.
  const beginning = Buffer.from(bytes).fill(0, countOffsets.prerequisites, headerLength)
  const packet = dnsPacket.decode(beginning) as dnsPacket.DecodedPacket & { readonly opcode: string }
  const { id = 0, opcode, questions: [question] = [], flag_rd } = packet
  if (question === undefined) throw new RangeError('a message without a question')
  const isUpdate = opcode === 'UPDATE'
  const prerequisites = isUpdate ? bytes.readUInt16BE(countOffsets.prerequisites) : 0
  const count = isUpdate && prerequisites === 0 ? bytes.readUInt16BE(countOffsets.updates) : 0
  return {
    id,
    opcode,
    recursionDesired: flag_rd,
    question: { name: question.name, type: question.type },
    prerequisites,
    updates: readRecords(bytes, endOfQuestion(bytes), count),
  }
}

/** Name, type and class. */
const endOfQuestion = (bytes: Buffer): number => {
  codecs.name.decode(bytes, headerLength)
  return headerLength + codecs.name.decode.bytes + 4
}

const readRecords = (bytes: Buffer, start: number, count: number): readonly WireRecord[] => {
  const records: WireRecord[] = []
  let offset = start
  for (let index = 0; index < count; index++) {
    codecs.name.decode(bytes, offset)
    const fields = offset + codecs.name.decode.bytes
    const length = bytes.readUInt16BE(fields + fieldsLength - 2)
    records.push(length === 0 ? withoutData(bytes, offset, fields) : withData(bytes, offset))
    offset = fields + fieldsLength + length
  }
  return records
}

const withData = (bytes: Buffer, offset: number): WireRecord => {
  const { name, type, class: recordClass, ttl = 0, data } = codecs.answer.decode(bytes, offset)
  return { name, type, class: recordClass === noneClass ? 'NONE' : recordClass, ttl, data }
}

/** The same fields stand in a question, whose types and classes dns-packet knows by their names. */
const withoutData = (bytes: Buffer, offset: number, fields: number): WireRecord => {
  const header = Buffer.alloc(headerLength)
  header.writeUInt16BE(1, 4)
  const name = codecs.name.decode(bytes, offset)
  const { questions: [question] = [] } = dnsPacket.decode(
    Buffer.concat([header, Buffer.from([0]), bytes.subarray(fields, fields + 4)]),
  )
  const { type = '', class: recordClass = '' } = question ?? {}
  return { name, type, class: recordClass, ttl: bytes.readUInt32BE(fields + 4), data: undefined }
}
