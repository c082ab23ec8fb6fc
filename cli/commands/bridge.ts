import { Command, Option } from 'commander'
import { bridgeExample, bridgeProcess, bridgeSettings } from '../../bridge/bridge.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { describeSettings, SettingsError } from '../../shared/runtime/runtime.ts'

/** `trellis bridge`: the bridge alone, against any API server and any sink, until Ctrl-C. */
export const bridgeCommand = (): Command => {
  const command = new Command('bridge')
    .description(
      'Watch the extension objects of a seed and send an event for each object that needs work. docs/settings.md has the defaults and environment variables of the settings.',
    )
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
    const [text] = row.description.split(/[.:](?: |$)| \(/, 1)
    const option = new Option(`${row.flag} ${value}`, text)
    command.addOption(row.bare === undefined ? option : option.preset(row.bare))
  }
  return command
}
