import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto'
import { promisify } from 'node:util'

/** Creates the keys of a certificate. Tests use shorter ones, which are faster to create. */
export type CreateKeyPair = () => Promise<KeyPairKeyObjectResult>

/** Length of the keys, in bits (docs/contract/secrets-manager.md#certificates). */
const keyBits = 3072

/** Creates keys in Node's thread pool. Takes 0.1 to 1 s; other steps of the process continue meanwhile. */
export const createKeyPair: CreateKeyPair = () =>
  promisify(generateKeyPair)('rsa', { modulusLength: keyBits })
