import { setFlagsFromString } from 'node:v8'
import { prepareProcess } from '../../shared/runtime/prepare-process.ts'
import { SettingsError } from '../../shared/runtime/runtime.ts'
import { print, printProblem } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { bridgeProcess } from './bridge-process.ts'
import { parseFlags } from './flags.ts'
import { bridgeHelp } from './help.ts'

/**
 * Starts the bridge's process: reads settings from flags and environment, and shuts down gracefully at SIGTERM and
 * SIGINT.
 */
export const bootBridge = (): void => {
  // For images that Docker builds, which all have this flag (docs/decisions/0064-memory.md).
  setFlagsFromString('--no-optimize-for-size')
  prepareProcess({ survivesFullDisk: true })
  const main = async (): Promise<void> => {
    const { help, flags } = parseFlags(process.argv.slice(2))
    if (help) print(bridgeHelp())
    else await bridgeProcess({ flags, env: process.env })
  }
  main().catch((error: unknown) => {
    const isSetting = error instanceof SettingsError || (error instanceof TypeError && 'code' in error)
    printProblem('trellis bridge', messageOf(error))
    process.exitCode = isSetting ? 2 : 1
  })
}
