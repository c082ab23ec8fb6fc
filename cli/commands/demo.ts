import { Command, InvalidArgumentError } from 'commander'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { interrupted } from '../../sandbox/terminal/interrupted.ts'
import { print } from '../../shared/terminal/print.ts'
import { chosenProviders, providerOption } from '../sandbox/provider-option.ts'

interface DemoCommandOptions {
  readonly pace?: number
  readonly console: boolean
  readonly provider?: readonly string[]
}

/** The time between two lines on a terminal, in seconds: the whole tour takes less than a minute. */
const terminalPace = 0.1

/** `trellis demo`: the guided tour, each step checked; exit code 1 if a check fails. */
export const demoCommand = (providers: readonly Provider[]): Command =>
  new Command('demo')
    .description(
      'Watch Gardener objects become DNS records and a network, a function crash midway and recover, and a whole shoot be created, hibernate, wake up, migrate to another seed and be deleted. Each step is checked and timed.',
    )
    .option(
      '--pace <seconds>',
      `pause between lines, in seconds (default: ${terminalPace} on a terminal, otherwise 0)`,
      pace,
    )
    .addOption(providerOption(providers))
    .option('--no-console', 'start no console')
    .addHelpText('after', '\nExample:\n  trellis demo --pace 0.5')
    .action(async (options: DemoCommandOptions) => {
      const ended = new AbortController()
      interrupted().then(() => {
        process.exitCode ??= 1
        ended.abort(new Error('the demo was stopped'))
      })
      const { runDemo } = await import('../demo/run-demo.ts')
      const allWell = await runDemo({
        providers: chosenProviders(providers, options.provider),
        hasConsole: options.console,
        write: print,
        paceMs: (options.pace ?? (process.stdout.isTTY === true ? terminalPace : 0)) * 1000,
        signal: ended.signal,
      })
      if (!allWell) process.exitCode ??= 1
    })

const pace = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 10))
    throw new InvalidArgumentError('expected a number of seconds, 0 to 10')
  return value
}
