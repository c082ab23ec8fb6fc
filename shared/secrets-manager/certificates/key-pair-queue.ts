import { type CreateKeyPair, createKeyPair } from './key-pair.ts'

/** One less than the number of threads in Node's thread pool. */
const keysAtOnce = 3

/**
 * Creates the keys of a whole process, a few at a time, in the order of requests. Without it, forty shoots would fill
 * the thread pool for ten seconds. The first shoot would then wait for all keys, because its signatures use the same
 * pool.
 *
 * @example
 * const createKeyPair = keyPairQueue()
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
