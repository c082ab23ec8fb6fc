import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto'
import { promisify } from 'node:util'

/** Keys that take no time. */
export const shortKeys = (): Promise<KeyPairKeyObjectResult> =>
  promisify(generateKeyPair)('rsa', { modulusLength: 1024 })
