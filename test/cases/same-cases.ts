import fc from 'fast-check'

/**
 * Runs before every test file. Properties draw the same cases in each run, so that only a change can make a suite fail.
 * `SEED=7` draws others; the workflow of each night does so with the number of its run. A failure prints its seed.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) })
