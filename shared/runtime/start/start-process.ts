import { startupSnapshot } from 'node:v8'
import { letWorldGoOn } from './let-world-go-on.ts'

/**
 * Starts a process; or, where Node builds a startup snapshot (`--build-snapshot`), warms the program up, so that what it has
 * loaded and compiled then is there at once in every process that begins with the snapshot, which starts by `boot`.
 *
 * What was read of the environment or a source of randomness before `boot` would be the same in all of them: modules keep
 * nothing of it, and `warmUp` leaves nothing behind. Clock, timers and identifiers stand still until then (`let-world-go-on.ts`,
 * which a program imports before all else): what waits for a timer has come as far as it comes, and is left there.
 */
export const startProcess = (boot: () => unknown, warmUp: () => Promise<void>): void => {
  if (!startupSnapshot.isBuildingSnapshot()) {
    boot()
    return
  }
  startupSnapshot.setDeserializeMainFunction(() => boot())
  // Called when nothing is left that could happen.
  startupSnapshot.addSerializeCallback(letWorldGoOn)
  warmUp().catch((error: unknown) => {
    process.stderr.write(`the program cannot be warmed up: ${String(error)}\n`)
    process.exit(1)
  })
}
