/** How a field of a message is read. */
export type FieldType =
  | 'string'
  /** base64 in JSON. */
  | 'bytes'
  | 'integer'
  | 'boolean'
  /** RFC 3339 in JSON: `metav1.Time`. */
  | 'time'
  | { readonly message: MessageType }
  /** Text to text. */
  | 'map'
  /** Text to bytes. */
  | 'bytes-map'

export interface MessageField {
  readonly name: string
  readonly type: FieldType
  readonly repeated?: boolean
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
  throw new RangeError('reading protobuf: it breaks off within a number')
}

/** The fields of a message as they stand on the wire. Fixed-width fields are skipped: no message here has any. */
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
      if (end > bytes.length) throw new RangeError('reading protobuf: it breaks off within a field')
      at = end
      yield { number, value: bytes.subarray(next, end) }
    } else if (wireType === 1) at += 8
    else if (wireType === 5) at += 4
    else throw new RangeError(`reading protobuf: unknown wire type ${wireType}`)
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const timeOf = (bytes: Uint8Array): string | undefined => {
  const [seconds] = [...rawFields(bytes)].filter(field => field.number === 1)
  if (typeof seconds?.value !== 'bigint') return undefined
  const milliseconds = Number(BigInt.asIntN(64, seconds.value)) * 1_000
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

const fieldValue = (type: FieldType, raw: bigint | Uint8Array): unknown => {
  if (typeof raw === 'bigint') return type === 'boolean' ? raw !== 0n : Number(BigInt.asIntN(64, raw))
  if (type === 'bytes') return Buffer.from(raw).toString('base64')
  if (type === 'time') return timeOf(raw)
  return typeof type === 'object' ? decodeMessage(raw, type.message) : text(raw)
}

const entryOf = (bytes: Uint8Array, type: 'map' | 'bytes-map'): readonly [string, unknown] => {
  let key = ''
  let value: unknown = ''
  for (const field of rawFields(bytes)) {
    if (typeof field.value === 'bigint') continue
    if (field.number === 1) key = text(field.value)
    else if (field.number === 2) value = fieldValue(type === 'map' ? 'string' : 'bytes', field.value)
  }
  return [key, value]
}

/** A message as the JSON object that Kubernetes would send for it. Unknown fields are left out. */
export const decodeMessage = (bytes: Uint8Array, message: MessageType): Record<string, unknown> => {
  const result: Record<string, unknown> = {}
  const lists = new Map<string, unknown[]>()
  for (const raw of rawFields(bytes)) {
    const field = message[raw.number]
    if (!field) continue
    const { name, type } = field
    if ((type === 'map' || type === 'bytes-map') && typeof raw.value !== 'bigint') {
      const [key, value] = entryOf(raw.value, type)
      result[name] = { ...(result[name] as object | undefined), [key]: value }
    } else if (field.repeated) {
      const list = lists.get(name) ?? []
      list.push(fieldValue(type, raw.value))
      lists.set(name, list)
      result[name] = list
    } else {
      const value = fieldValue(type, raw.value)
      // Go writes empty texts too; JSON has them left out.
      if (value !== undefined && value !== '') result[name] = value
    }
  }
  return result
}
