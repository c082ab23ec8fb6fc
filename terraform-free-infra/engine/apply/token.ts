import { createHash } from 'node:crypto'

/**
 * The idempotency token of a create: the same for every attempt to make one incarnation of a resource, another once
 * the former has been there (`incarnation`: the ids that have been this resource). 32 hexadecimal digits.
 */
export const createToken = (uid: string, label: string, incarnation: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([uid, label, incarnation]))
    .digest('hex')
    .slice(0, 32)
