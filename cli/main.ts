import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { exitCodeOf } from '../sandbox/terminal/exit-code.ts'
import { brokenPipe, endWithOutput } from '../shared/runtime/end-with-output.ts'

type Load = () => Promise<Command>

/** Loads what there is of clouds: what needs none starts without. */
const providers = async () => (await import('../sandbox/providers/find-providers.ts')).findProviders()

/** In the order of the help. A command is loaded when it is asked for: some stand on all of a cloud's SDK. */
const first: Readonly<Record<string, Load>> = {
  new: async () => (await import('./commands/new.ts')).newCommand(),
  dev: async () => (await import('./commands/dev.ts')).devCommand(await providers()),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(await providers()),
}
const last: Readonly<Record<string, Load>> = {
  bridge: async () => (await import('./commands/bridge.ts')).bridgeCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(await providers()),
  plan: async () => (await import('./commands/plan.ts')).planCommand(await providers()),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  crds: async () => (await import('./commands/crds.ts')).crdsCommand(),
  install: async () => (await import('./commands/install.ts')).installCommand(),
}

/** The command of a name; all of them, with those of the providers in between, where there is no such name. */
const commandsFor = async (name: string): Promise<readonly Load[]> => {
  const own = { ...first, ...last }
  const asked = Object.hasOwn(own, name) ? own[name] : undefined
  if (asked !== undefined) return [asked]
  const ofProviders: Readonly<Record<string, Load>> = Object.assign(
    {},
    ...(await providers()).map(({ commands }) => commands),
  )
  const contributed = Object.hasOwn(ofProviders, name) ? ofProviders[name] : undefined
  return contributed === undefined ? Object.values({ ...first, ...ofProviders, ...last }) : [contributed]
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
  try {
    for (const load of await commandsFor(name)) {
      program.addCommand((await load()).exitOverride().showHelpAfterError('(add --help for more)'))
    }
  } catch (error) {
    // Of the room of a process, which a command that goes well has no need of.
    const { isDefinitionError } = await import('../shared/runtime/runtime.ts')
    if (!isDefinitionError(error)) throw error
    process.exitCode = exitCodeOf(error)
    return
  }
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    // What is cut short while it starts fails of it, and nobody is there to read that.
    if (process.exitCode !== brokenPipe) process.exitCode = exitCodeOf(error)
  }
}

const ownVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return String(version)
}
