/** Types without fields. In JSON, times, quantities and number-or-text values are texts. */
export const scalarTypes = [
  'string',
  /** Base64 in JSON. */
  'bytes',
  'integer',
  'boolean',
  /** `metav1.Time`: RFC 3339. */
  'time',
  /** `metav1.MicroTime`: RFC 3339 with microseconds. */
  'microtime',
  'quantity',
  'int-or-string',
  /** Raw JSON: `metav1.FieldsV1`. */
  'json',
] as const

export type FieldType =
  | (typeof scalarTypes)[number]
  /** A message type, or a function that returns it when it is first needed. */
  | { readonly message: MessageType | (() => MessageType) }
  /** A map with text keys. */
  | { readonly map: FieldType }

export interface MessageField {
  readonly name: string
  readonly type: FieldType
  readonly repeated?: boolean
  /** Its fields appear among those of the parent message, like embedded structs in Go. */
  readonly inline?: boolean
  /** Go writes 0, false and '' on the wire, but omits them in JSON. */
  readonly omitsEmpty?: boolean
}

/** The fields of a message by their numbers. */
export type MessageType = Readonly<Record<number, MessageField>>

interface RawField {
  readonly number: number
  readonly value: bigint | Uint8Array
}

const readVarint = (bytes: Uint8Array, start: number): { readonly value: bigint; readonly next: number } => {
  let value = 0n
  for (let at = start, shift = 0n; at < bytes.length; at++, shift += 7n) {
    const byte = bytes[at] ?? 0
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { value, next: at + 1 }
  }
  throw new RangeError('cannot read protobuf: truncated number')
}

/** Returns the fields of a message in wire order. Fixed-width fields are skipped, because no message here has any. */
function* rawFields(bytes: Uint8Array): Generator<RawField> {
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at)
    const number = Number(tag.value >> 3n)
    const wireType = Number(tag.value & 7n)
    at = tag.next
    if (wireType === 0) {
      const { value, next } = readVarint(bytes, at)
      at = next
      yield { number, value }
    } else if (wireType === 2) {
      const { value, next } = readVarint(bytes, at)
      const end = next + Number(value)
      if (end > bytes.length) throw new RangeError('cannot read protobuf: truncated field')
      at = end
      yield { number, value: bytes.subarray(next, end) }
    } else if (wireType === 1) at += 8
    else if (wireType === 5) at += 4
    else throw new RangeError(`cannot read protobuf: unknown wire type ${wireType}`)
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const timeMessage: MessageType = {
  1: { name: 'seconds', type: 'integer' },
  2: { name: 'nanos', type: 'integer' },
}
const intOrStringMessage: MessageType = {
  1: { name: 'type', type: 'integer' },
  2: { name: 'number', type: 'integer' },
  3: { name: 'text', type: 'string' },
}
const wrapped = (type: FieldType): MessageType => ({ 1: { name: 'value', type } })

/** Undefined for a zero time, which has no fields. */
const timeOf = (bytes: Uint8Array, digits: 0 | 6): string | undefined => {
  const { seconds, nanos = 0 } = decodeMessage(bytes, timeMessage)
  if (typeof seconds !== 'number' || typeof nanos !== 'number') return undefined
  const whole = new Date(seconds * 1_000).toISOString().slice(0, 19)
  const fraction = String(nanos).padStart(9, '0').slice(0, digits)
  return digits === 0 ? `${whole}Z` : `${whole}.${fraction}Z`
}

/** Undefined: JSON omits the field. */
const fieldValue = (type: FieldType, raw: bigint | Uint8Array): unknown => {
  if (typeof raw === 'bigint') return type === 'boolean' ? raw !== 0n : Number(BigInt.asIntN(64, raw))
  if (typeof type === 'object') {
    if ('map' in type) return mapEntry(raw, type.map)
    return decodeMessage(raw, typeof type.message === 'function' ? type.message() : type.message)
  }
  switch (type) {
    case 'bytes':
      return Buffer.from(raw).toString('base64')
    case 'time':
      return timeOf(raw, 0)
    case 'microtime':
      return timeOf(raw, 6)
    case 'quantity':
      return decodeMessage(raw, wrapped('string')).value
    case 'int-or-string': {
      const { type: isText, number = 0, text: value = '' } = decodeMessage(raw, intOrStringMessage)
      return isText === 1 ? value : number
    }
    case 'json': {
      const { value } = decodeMessage(raw, wrapped('bytes'))
      return typeof value === 'string' ? jsonOf(Buffer.from(value, 'base64')) : undefined
    }
    case 'string':
    case 'integer':
    case 'boolean':
      return text(raw)
  }
}

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new RangeError('cannot read protobuf: expected JSON in a field, found another value')
  }
}

/** Decodes one entry of a map as an object. Go omits empty keys and values on the wire. */
const mapEntry = (bytes: Uint8Array, type: FieldType): Readonly<Record<string, unknown>> => {
  let key = ''
  let value: unknown = typeof type === 'object' ? {} : ''
  for (const field of rawFields(bytes)) {
    if (field.number === 1 && typeof field.value !== 'bigint') key = text(field.value)
    else if (field.number === 2) value = fieldValue(type, field.value)
  }
  return Object.fromEntries([[key, value]])
}

const isEmpty = (value: unknown): boolean => value === '' || value === 0 || value === false

/** Decodes a message to the JSON object that Kubernetes would send for it. Unknown fields are omitted. */
export const decodeMessage = (bytes: Uint8Array, message: MessageType): Record<string, unknown> => {
  const result = new Map<string, unknown>()
  for (const raw of rawFields(bytes)) {
    const field = message[raw.number]
    if (field === undefined) continue
    const { name, type } = field
    const value = fieldValue(type, raw.value)
    const before = result.get(name)
    if (value === undefined || (field.omitsEmpty && isEmpty(value))) continue
    if (field.inline) {
      for (const [inner, part] of Object.entries(value as object)) result.set(inner, part)
    } else if (field.repeated) {
      result.set(name, [...(Array.isArray(before) ? before : []), value])
    } else if (typeof type === 'object' && 'map' in type) {
      result.set(
        name,
        Object.fromEntries([...Object.entries(Object(before)), ...Object.entries(Object(value))]),
      )
    } else result.set(name, value)
  }
  return Object.fromEntries(result)
}
