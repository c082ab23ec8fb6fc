import * as dnsPacket from 'dns-packet'

/** A record in the zone or in an update. */
export interface WireRecord {
  readonly name: string
  readonly type: string
  /** `IN`; in an update also `ANY` and `NONE`. */
  readonly class: string
  readonly ttl: number
  /** In dns-packet's format: a text for the types used here. Undefined: no data. */
  readonly data: unknown
}

export interface DnsRequest {
  readonly id: number
  readonly opcode: string
  readonly recursionDesired: boolean
  /** For an update: the zone. */
  readonly question: { readonly name: string; readonly type: string }
  readonly prerequisites: number
  /** For an update, in order. */
  readonly updates: readonly WireRecord[]
}

interface DnsCodec<T> {
  readonly decode: ((bytes: Buffer, offset: number) => T) & { readonly bytes: number }
}

/** The parts of dns-packet that its types lack. */
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

/** Parses a received message. Throws dns-packet's error for invalid bytes. */
export const readRequest = (bytes: Buffer): DnsRequest => {
  // dns-packet cannot read records without data, which updates have. So it reads only the header and the question.
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

/** A question has the same fields, and dns-packet decodes its types and classes by name. */
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
