import { createHash } from 'node:crypto'

/** Returns the first characters of the hash used for names and in-place updates (docs/contract/workers.md#hash). */
export const hashOf = (data: readonly string[], length: number): string =>
  hashOfDigests(data.map(digestOf), length)

/** Like `hashOf`, for digests that are computed already. */
export const hashOfDigests = (digests: readonly string[], length: number): string =>
  digestOf(digests.join('')).slice(0, length)

export const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
