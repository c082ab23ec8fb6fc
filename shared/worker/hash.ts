import { createHash } from 'node:crypto'

/** The first characters of the hash that names and in-place updates are told apart by (docs/contract/workers.md#hash). */
export const hashOf = (data: readonly string[], length: number): string =>
  hashOfDigests(data.map(digestOf), length)

/** The same, of data of which each was made its digest once. */
export const hashOfDigests = (digests: readonly string[], length: number): string =>
  digestOf(digests.join('')).slice(0, length)

export const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
