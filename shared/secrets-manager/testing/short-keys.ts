import { generateKeyPairSync } from 'node:crypto'
import type { CreateKeyPair } from '../secrets-manager.ts'

const made = Array.from({ length: 4 }, () => generateKeyPairSync('rsa', { modulusLength: 1024 }))

/** Returns keys without delay: a few that repeat. */
export const shortKeys = (): CreateKeyPair => {
  let next = 0
  return async () => {
    const keys = made[next++ % made.length]
    if (keys === undefined) throw new Error('there are no keys')
    return keys
  }
}
