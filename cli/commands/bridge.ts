import { type Command, Option } from 'commander'
import { bridgeExample, bridgeProcess, bridgeSettings, settingHelp } from '../../bridge/bridge.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { describeSettings, SettingsError } from '../../shared/runtime/runtime.ts'
import { bridgeAbout } from './bridge-about.ts'

/** `trellis bridge`: the bridge alone, against any API server and any sink, until Ctrl-C. */
export const bridgeCommand = (): Command => {
  const command = bridgeAbout()
    .addHelpText('after', `\n${bridgeExample.trimEnd()}`)
    .action(async (flags: Readonly<Record<string, unknown>>) => {
      try {
        await bridgeProcess({ flags, env: process.env })
      } catch (error) {
        if (error instanceof SettingsError) throw new UsageError(error.message, { cause: error })
        throw error
      }
    })
  for (const row of describeSettings(bridgeSettings)) {
    const value = row.bare === undefined ? '<value>' : '[value]'
    const option = new Option(`${row.flag} ${value}`, settingHelp(row))
    command.addOption(row.bare === undefined ? option : option.preset(row.bare))
  }
  return command
}
