import { createHash } from 'node:crypto'

/** The first characters of the hash that names and in-place updates are told apart by (docs/contract/workers.md#hash). */
export const hashOf = (data: readonly string[], length: number): string =>
  sha256(data.map(sha256).join('')).slice(0, length)

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
