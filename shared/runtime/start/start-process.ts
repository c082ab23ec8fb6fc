import { startupSnapshot } from 'node:v8'
import { printProblem } from '../../terminal/print.ts'
import { messageOf } from '../../text/message-of.ts'
import { letWorldGoOn } from './let-world-go-on.ts'

/**
 * Starts a process with `boot`. If Node builds a startup snapshot (`--build-snapshot`), it warms the program up
 * instead, so every process that starts from the snapshot has its code loaded and compiled, and begins with `boot`.
 *
 * Anything read from the environment or a random source before `boot` would be equal in all processes, so modules must
 * not retain it and `warmUp` must leave nothing behind. Until then clock, timers and identifiers are frozen
 * (`let-world-go-on.ts`, which a program imports first). Code that waits for a timer stops there.
 */
export const startProcess = (boot: () => unknown, warmUp: () => Promise<void>): void => {
  if (!startupSnapshot.isBuildingSnapshot()) {
    boot()
    return
  }
  startupSnapshot.setDeserializeMainFunction(() => boot())
  // Called when the event loop is empty.
  startupSnapshot.addSerializeCallback(letWorldGoOn)
  warmUp().catch((error: unknown) => {
    printProblem('cannot warm up the program', messageOf(error))
    process.exit(1)
  })
}
