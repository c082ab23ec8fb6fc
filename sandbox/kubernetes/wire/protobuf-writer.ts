/** The bytes of a message, or of a part of one. Concatenated parts form a message. */
export type Message = Uint8Array

const none: Message = new Uint8Array()

export const parts = (...messages: readonly Message[]): Message => Buffer.concat(messages)

const varint = (value: bigint): Uint8Array => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Uint8Array.from([...bytes, Number(rest)])
}

const tag = (field: number, wireType: number): Uint8Array => varint(BigInt((field << 3) | wireType))

/** Encodes a nested message. An empty one is written too, because its presence may matter. */
export const message = (field: number, inner: Message | undefined): Message =>
  inner === undefined ? none : parts(tag(field, 2), varint(BigInt(inner.length)), inner)

/**
 * Encodes a text. Other values are omitted, and so is the empty text, which proto3 does not distinguish from an absent
 * one.
 */
export const text = (field: number, value: unknown): Message =>
  typeof value === 'string' && value !== '' ? message(field, new TextEncoder().encode(value)) : none

/** Encodes true. False is omitted, because it is proto3's default. */
export const flag = (field: number, value: unknown): Message =>
  value === true ? parts(tag(field, 0), varint(1n)) : none

export const integer = (field: number, value: unknown): Message =>
  typeof value === 'number' && value !== 0 ? parts(tag(field, 0), varint(BigInt(Math.trunc(value)))) : none

export const double = (field: number, value: unknown): Message => {
  if (typeof value !== 'number' || value === 0) return none
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return parts(tag(field, 1), bytes)
}

/** Encodes one field per item. */
export const repeated = <Item>(
  write: (field: number, item: Item) => Message,
  field: number,
  items: readonly Item[] = [],
): Message => parts(...items.map(item => write(field, item)))
