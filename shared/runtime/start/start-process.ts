import { startupSnapshot } from 'node:v8'

/** Node draws identifiers of so many at a time and keeps the rest (`lib/internal/crypto/random.js`, `kBatchSize`). */
const keptIdentifiers = 128

/**
 * Starts a process; or, where Node builds a startup snapshot (`--build-snapshot`), warms the program up, so that what it has
 * loaded and compiled then is there at once in every process that begins with the snapshot, which starts by `boot`.
 *
 * What was read of the environment, the clock or a source of randomness before `boot` would be the same in all of them:
 * modules keep nothing of it, `warmUp` leaves nothing behind, and what Node keeps of random identifiers is thrown away.
 */
export const startProcess = (boot: () => unknown, warmUp: () => Promise<void>): void => {
  if (!startupSnapshot.isBuildingSnapshot()) {
    boot()
    return
  }
  warmUp().then(
    () => {
      const drawn = hasDrawnIdentifiers()
      startupSnapshot.setDeserializeMainFunction(() => {
        if (drawn) for (let one = 0; one < keptIdentifiers; one++) crypto.randomUUID()
        boot()
      })
    },
    (error: unknown) => {
      process.stderr.write(`the program cannot be warmed up: ${String(error)}\n`)
      process.exitCode = 1
    },
  )
}

/** Whether Node may have some left. To ask for one where nobody did would load what draws them. */
const hasDrawnIdentifiers = (): boolean => {
  const { moduleLoadList } = process as { readonly moduleLoadList?: readonly string[] }
  return moduleLoadList?.includes('NativeModule internal/crypto/random') ?? true
}
