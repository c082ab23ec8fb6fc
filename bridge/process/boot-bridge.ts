import { setFlagsFromString } from 'node:v8'
import type { LeaseTimes } from '../../shared/leadership/election.ts'
import { prepareProcess } from '../../shared/runtime/prepare-process.ts'
import { parseFlags, SettingsError } from '../../shared/runtime/runtime.ts'
import { print, printProblem } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { bridgeProcess } from './bridge-process.ts'
import { bridgeHelp } from './help.ts'
import { bridgeSettings } from './settings.ts'

/**
 * Starts the bridge's process: reads settings from flags and environment, and shuts down gracefully at SIGTERM and
 * SIGINT.
 *
 * @param leaseTimes default: those of client-go
 */
export const bootBridge = (leaseTimes?: LeaseTimes): void => {
  // For images that Docker builds, which all have this flag (docs/decisions/0064-memory.md).
  setFlagsFromString('--no-optimize-for-size')
  prepareProcess({ survivesFullDisk: true })
  const main = async (): Promise<void> => {
    const { help, flags } = parseFlags(bridgeSettings, process.argv.slice(2))
    if (help) print(bridgeHelp())
    else await bridgeProcess({ flags, env: process.env, leaseTimes })
  }
  main().catch((error: unknown) => {
    const isSetting = error instanceof SettingsError || (error instanceof TypeError && 'code' in error)
    printProblem('trellis bridge', messageOf(error))
    process.exitCode = isSetting ? 2 : 1
  })
}
