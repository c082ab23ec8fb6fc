import { createHash } from 'node:crypto'

/** Returns a number from 0 up to, but not including, 1 that the parts determine. */
export const chosen = (...parts: readonly (string | number)[]): number =>
  createHash('sha1').update(parts.join('/')).digest().readUInt32BE() / 2 ** 32

/** Returns a UUID that the text determines. */
export const uuidOf = (text: string): string => uuid(createHash('sha1').update(text).digest())

/** Returns a UUID of version 4 of at least 16 bytes. */
export const uuid = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
