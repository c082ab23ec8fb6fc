import { type CreateKeyPair, createKeyPair } from './key-pair.ts'

/** One fewer than the thread pool of Node has threads. */
const keysAtOnce = 3

/**
 * The keys of a whole process, so many at a time and first come, first served. Forty shoots at once would fill the thread pool
 * for ten seconds: the first of them would wait for its signatures, which are made there as well, until all keys are made.
 */
export const keyPairQueue = (create: CreateKeyPair = createKeyPair, atOnce = keysAtOnce): CreateKeyPair => {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async () => {
    if (free === 0) await new Promise<void>(resolve => waiting.push(resolve))
    else free--
    try {
      return await create()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
