import { parseArgs } from 'node:util'
import { describeSettings, SettingsError } from '../shared/runtime/settings.ts'
import { bridgeProcess } from './bridge-process.ts'
import { bridgeHelp } from './help.ts'
import { bridgeSettings } from './settings.ts'

/** The process of the bridge: settings from flags and environment, ends cleanly at SIGTERM and SIGINT. */
const main = async (): Promise<void> => {
  const flags = Object.fromEntries(
    describeSettings(bridgeSettings).map(({ flag }) => [flag.slice(2), { type: 'string' as const }]),
  )
  const { help, ...values } = parseArgs({
    options: { ...flags, help: { type: 'boolean', short: 'h' } },
  }).values
  if (help) process.stdout.write(bridgeHelp())
  else await bridgeProcess({ flags: values, env: process.env })
}

main().catch((error: unknown) => {
  const isSetting = error instanceof SettingsError || (error instanceof TypeError && 'code' in error)
  process.stderr.write(`trellis bridge: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = isSetting ? 2 : 1
})
