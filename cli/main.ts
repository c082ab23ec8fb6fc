import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { endWithOutput } from '../shared/runtime/end-with-output.ts'
import { exitCodeOf } from './exit-code.ts'

/** In the order of the help. A command is loaded when it is asked for: some stand on all of AWS's SDK. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./commands/dev.ts')).devCommand(),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  aws: async () => (await import('./commands/aws.ts')).awsCommand(),
  bridge: async () => (await import('./commands/bridge.ts')).bridgeCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(),
  plan: async () => (await import('./commands/plan.ts')).planCommand(),
  crds: async () => (await import('./commands/crds.ts')).crdsCommand(),
}

/** The command line `trellis`. Exit codes: 0 done, 1 it did not work out, 2 it was asked for in the wrong way. */
export const main = async (argv: readonly string[]): Promise<void> => {
  endWithOutput(process)
  const program = new Command('trellis')
    .description('Gardener extension backends as scale-to-zero functions on Knative.')
    .version(await ownVersion(), '--version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
    .addHelpText('after', '\nExample:\n  trellis dev --kubeconfig /tmp/seed.kubeconfig')
  const [, , name = ''] = argv
  const asked = Object.hasOwn(commands, name) ? commands[name] : undefined
  for (const load of asked ? [asked] : Object.values(commands)) {
    program.addCommand((await load()).exitOverride().showHelpAfterError('(add --help for more)'))
  }
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

const ownVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return String(version)
}
