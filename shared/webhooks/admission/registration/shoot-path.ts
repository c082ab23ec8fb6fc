import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The last two parts of a webhook's path in a shoot's API server, `<namespace>/<proof>`, identify the shoot. Only the
 * key's owner can create the proof, so an API server can name only its shoot, wherever it calls from
 * (docs/decisions/0050-what-webhooks-change.md). The user of a shoot can read the path there, but gains no other
 * identity by it.
 */

/** Minimum length of a key in bytes. A shorter key is refused. */
const keyBytes = 32

/** Returns the end of the path for the shoot with this namespace in the seed. The process stores the key. */
export const shootPath = (key: Uint8Array, namespace: string): string =>
  `${namespace}/${proofOf(key, namespace).toString('base64url')}`

/**
 * Returns the namespace that this end of a path proves, or undefined if it proves none.
 *
 * @param keys all valid keys; during a rotation also the former key
 */
export const readShootPath = (keys: readonly Uint8Array[], path: string): string | undefined => {
  const [namespace = '', proof = '', ...rest] = path.split('/')
  if (namespace === '' || rest.length > 0) return undefined
  const given = Buffer.from(proof, 'base64url')
  // Several texts decode to the same bytes. Only the canonical one is the path.
  if (given.toString('base64url') !== proof) return undefined
  const isProved = keys.some(key => {
    const expected = proofOf(key, namespace)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  return isProved ? namespace : undefined
}

const proofOf = (key: Uint8Array, namespace: string): Buffer => {
  if (key.length < keyBytes)
    throw new RangeError(`the key for paths of shoots is too short: expected at least ${keyBytes} bytes`)
  return createHmac('sha256', key).update(`webhooks of a shoot\n${namespace}`).digest()
}
