import { Command } from 'commander'
import { awsCommand } from './commands/aws.ts'
import { bridgeCommand } from './commands/bridge.ts'
import { crdsCommand } from './commands/crds.ts'
import { demoCommand } from './commands/demo.ts'
import { devCommand } from './commands/dev.ts'
import { replayCommand } from './commands/replay.ts'
import { exitCodeOf } from './exit-code.ts'

/** The command line `trellis`. Exit codes: 0 done, 1 it did not work out, 2 it was asked for in the wrong way. */
export const main = async (argv: readonly string[]): Promise<void> => {
  const program = new Command('trellis')
    .description('Gardener extension backends as scale-to-zero functions on Knative.')
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
    .addHelpText('after', '\nExample:\n  trellis dev --kubeconfig /tmp/seed.kubeconfig')
  for (const command of [
    devCommand(),
    demoCommand(),
    awsCommand(),
    bridgeCommand(),
    replayCommand(),
    crdsCommand(),
  ]) {
    program.addCommand(command.exitOverride().showHelpAfterError('(add --help for more)'))
  }
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}
