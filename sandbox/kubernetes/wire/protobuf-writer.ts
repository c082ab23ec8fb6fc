/** The bytes of a message, or of a part of one: parts put after each other are a message. */
export type Message = Uint8Array

const none: Message = new Uint8Array()

/** The parts in one message. */
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

/** A message within a message; written also when it is empty, as its being there may say something. */
export const message = (field: number, inner: Message | undefined): Message =>
  inner === undefined ? none : parts(tag(field, 2), varint(BigInt(inner.length)), inner)

/** Anything but a text is left out, and so is the empty one, which proto3 cannot tell from nothing. */
export const text = (field: number, value: unknown): Message =>
  typeof value === 'string' && value !== '' ? message(field, new TextEncoder().encode(value)) : none

/** False is left out: it is what proto3 reads when nothing is there. */
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

/** One field for each item. */
export const repeated = <Item>(
  write: (field: number, item: Item) => Message,
  field: number,
  items: readonly Item[] = [],
): Message => parts(...items.map(item => write(field, item)))
