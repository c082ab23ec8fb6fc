import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto'
import { promisify } from 'node:util'

/** Makes the keys of a certificate. Tests take shorter ones, which are there sooner. */
export type CreateKeyPair = () => Promise<KeyPairKeyObjectResult>

/** Length of the keys, in bits (docs/contract/secrets-manager.md#certificates). */
export const keyBits = 3072

/** New keys, made in the thread pool of Node: 0.1 to 1 s, in which the process goes on with other steps. */
export const createKeyPair: CreateKeyPair = () =>
  promisify(generateKeyPair)('rsa', { modulusLength: keyBits })
