import crypto, { createCipheriv } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'

const seed = Number(process.env.SEED ?? 1)

/**
 * Runs before every test file. Properties draw the same cases in each run, so that only a change can make a suite fail.
 * `SEED=7` draws others; the workflow of each night does so with the number of its run. A failure prints its seed.
 */
fc.configureGlobal({ seed })

/** The ids of a simulated AWS, and with them the order of its lists, are those of the seed too. */
const bytesOf = createCipheriv('aes-128-ctr', Buffer.alloc(16, `${seed};`), Buffer.alloc(16))
const { randomBytes } = crypto
Object.assign(crypto, {
  randomBytes: (count: number, ...callback: []) =>
    callback.length > 0 ? randomBytes(count, ...callback) : bytesOf.update(Buffer.alloc(count)),
})
syncBuiltinESMExports()
