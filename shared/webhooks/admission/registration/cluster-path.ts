import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The last segment of a webhook's path proves that the caller is the API server of the seed or the garden. Only the webhook
 * configuration contains it, and only operators can read that. Without the proof, every pod that reaches the process could ask
 * about any object (docs/decisions/0077-a-proof-on-every-path.md).
 */

/** Minimum length of a key in bytes. A shorter key is refused. */
const keyBytes = 32

/** @param path the path of the webhook, from `webhookPath` */
export const clusterProof = (key: Uint8Array, path: string): string =>
  bytesOf(key, path).toString('base64url')

/** @param keys all valid keys; during a rotation also the former key */
export const isClusterProof = (keys: readonly Uint8Array[], path: string, proof: string): boolean => {
  const given = Buffer.from(proof, 'base64url')
  // Several texts decode to the same bytes. Only the canonical one is a proof.
  if (given.toString('base64url') !== proof) return false
  return keys.some(key => {
    const expected = bytesOf(key, path)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

const bytesOf = (key: Uint8Array, path: string): Buffer => {
  if (key.length < keyBytes)
    throw new RangeError(`the key for paths of webhooks is too short: expected at least ${keyBytes} bytes`)
  return createHmac('sha256', key).update(`webhooks of a cluster\n${path}`).digest()
}
