import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The end of a webhook's path by which the API server of a seed or of the garden proves that it is one: only the configuration,
 * which none but operators read, names it. Without it whoever reaches the process could ask about any object
 * (docs/decisions/0077-a-proof-on-every-path.md).
 */

/** Bytes of a key; a shorter one is refused. */
const keyBytes = 32

/** @param path of the webhook, as `webhookPath` has it */
export const clusterProof = (key: Uint8Array, path: string): string =>
  bytesOf(key, path).toString('base64url')

/** @param keys all that count: while a key is exchanged, the one before it too */
export const isClusterProof = (keys: readonly Uint8Array[], path: string, proof: string): boolean => {
  const given = Buffer.from(proof, 'base64url')
  // Other texts stand for the same bytes; only one of them is the proof.
  if (given.toString('base64url') !== proof) return false
  return keys.some(key => {
    const expected = bytesOf(key, path)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

const bytesOf = (key: Uint8Array, path: string): Buffer => {
  if (key.length < keyBytes)
    throw new RangeError(`a key of the webhooks' paths has ${keyBytes} bytes or more`)
  return createHmac('sha256', key).update(`webhooks of a cluster\n${path}`).digest()
}
