import { startupSnapshot } from 'node:v8'
import { letWorldGoOn } from './still-world.ts'

/**
 * Starts a process; or, where Node builds a startup snapshot (`--build-snapshot`), warms the program up, so that what it has
 * loaded and compiled then is there at once in every process that begins with the snapshot, which starts by `boot`.
 *
 * What was read of the environment or a source of randomness before `boot` would be the same in all of them: modules keep
 * nothing of it, and `warmUp` leaves nothing behind. Clock, timers and identifiers stand still until then (`still-world.ts`,
 * which a program imports before all else).
 */
export const startProcess = (boot: () => unknown, warmUp: () => Promise<void>): void => {
  if (!startupSnapshot.isBuildingSnapshot()) {
    boot()
    return
  }
  // Nothing keeps Node waiting where a timer is waited for: it would write a snapshot that does nothing.
  let isOver = false
  startupSnapshot.addSerializeCallback(() => {
    if (!isOver) failed(new Error('it waits for a timer or for nothing'))
  })
  const failed = (error: unknown): never => {
    process.stderr.write(`the program cannot be warmed up: ${String(error)}\n`)
    process.exit(1)
  }
  warmUp().then(() => {
    isOver = true
    letWorldGoOn()
    startupSnapshot.setDeserializeMainFunction(() => boot())
  }, failed)
}
