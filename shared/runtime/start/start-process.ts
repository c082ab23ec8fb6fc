import { startupSnapshot } from 'node:v8'

/**
 * Starts a process; or, where Node builds a startup snapshot (`--build-snapshot`), warms the program up, so that what it has
 * loaded and compiled then is there at once in every process that begins with the snapshot, which starts by `boot`.
 *
 * What was read of the environment, the clock or a source of randomness before `boot` would be the same in all of them:
 * modules keep nothing of it, and `warmUp` leaves nothing behind.
 */
export const startProcess = (boot: () => unknown, warmUp: () => Promise<void>): void => {
  if (!startupSnapshot.isBuildingSnapshot()) {
    boot()
    return
  }
  startupSnapshot.setDeserializeMainFunction(boot)
  warmUp().catch((error: unknown) => {
    process.stderr.write(`the program cannot be warmed up: ${String(error)}\n`)
    process.exitCode = 1
  })
}
