import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Which shoot asks: the last two parts of a webhook's path in its API server, `<namespace>/<proof>`. Only who has the key can
 * make the proof, so an API server can name no other shoot than its own, wherever it calls from
 * (docs/decisions/0050-what-webhooks-change.md). The user of a shoot can read the path of that shoot there; it lets them ask as
 * what they are.
 */

/** Bytes of a key; a shorter one is refused. */
const keyBytes = 32

/** The end of the path for the shoot with this namespace in the seed, by a key that the process keeps. */
export const shootPath = (key: Uint8Array, namespace: string): string =>
  `${namespace}/${proofOf(key, namespace).toString('base64url')}`

/**
 * The namespace that such an end of a path proves; undefined for any other text.
 *
 * @param keys all that count: while a key is exchanged, the one before it too
 */
export const readShootPath = (keys: readonly Uint8Array[], path: string): string | undefined => {
  const [namespace = '', proof = '', ...rest] = path.split('/')
  if (namespace === '' || rest.length > 0) return undefined
  const given = Buffer.from(proof, 'base64url')
  // Other texts stand for the same bytes; only one of them is the path.
  if (given.toString('base64url') !== proof) return undefined
  const isProved = keys.some(key => {
    const expected = proofOf(key, namespace)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  return isProved ? namespace : undefined
}

const proofOf = (key: Uint8Array, namespace: string): Buffer => {
  if (key.length < keyBytes) throw new RangeError(`a key of the shoots' paths has ${keyBytes} bytes or more`)
  return createHmac('sha256', key).update(`webhooks of a shoot\n${namespace}`).digest()
}
