import { Command } from 'commander'
import { packageVersion } from '../build/project/package-version.ts'
import { exitCodeOf } from '../sandbox/terminal/exit-code.ts'
import { brokenPipe } from '../shared/runtime/end-with-output.ts'
import { prepareProcess } from '../shared/runtime/prepare-process.ts'
import { print, printError } from '../shared/terminal/print.ts'

type Load = () => Promise<Command>

/** Loads the providers; commands that do not need them start without. */
const providers = async () => (await import('../sandbox/providers/find-providers.ts')).findProviders()

/** In the order of the help. A command is loaded on demand, because some need all of a cloud's SDK. */
const first: Readonly<Record<string, Load>> = {
  new: async () => (await import('./commands/new.ts')).newCommand(),
  dev: async () => (await import('./commands/dev.ts')).devCommand(await providers()),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(await providers()),
}
const last: Readonly<Record<string, Load>> = {
  bridge: async () => (await import('./commands/bridge.ts')).bridgeCommand(),
  record: async () => (await import('./commands/record.ts')).recordCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(await providers()),
  plan: async () => (await import('./commands/plan.ts')).planCommand(await providers()),
  upgrade: async () => (await import('./commands/upgrade.ts')).upgradeCommand(),
  console: async () => (await import('./commands/console.ts')).consoleCommand(await providers()),
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  trace: async () => (await import('./commands/trace.ts')).traceCommand(await providers()),
  history: async () => (await import('./commands/history.ts')).historyCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  crds: async () => (await import('./commands/crds.ts')).crdsCommand(),
  bundle: async () => (await import('./commands/bundle.ts')).bundleCommand(),
  image: async () => (await import('./commands/image.ts')).imageCommand(),
  chart: async () => (await import('./commands/chart.ts')).chartCommand(),
  manifests: async () => (await import('./commands/manifests.ts')).manifestsCommand(),
  install: async () => (await import('./commands/install.ts')).installCommand(),
}

/** Commands in the list of commands, where their options are not needed. */
const listed: Readonly<Record<string, Load>> = {
  ...last,
  bridge: async () => (await import('./commands/bridge-about.ts')).bridgeAbout(),
}

/** Returns the command of a name. For an unknown name, returns all commands, with those of the providers in between. */
const commandsFor = async (name: string): Promise<readonly Load[]> => {
  if (name === '--version') return []
  const own = { ...first, ...last }
  const asked = Object.hasOwn(own, name) ? own[name] : undefined
  if (asked !== undefined) return [asked]
  const ofProviders: Readonly<Record<string, Load>> = Object.assign(
    {},
    ...(await providers()).map(({ commands }) => commands),
  )
  const contributed = Object.hasOwn(ofProviders, name) ? ofProviders[name] : undefined
  return contributed === undefined ? Object.values({ ...first, ...ofProviders, ...listed }) : [contributed]
}

/** The command line `trellis`. Exit codes: 0 success, 1 failure, 2 wrong use. */
export const main = async (argv: readonly string[]): Promise<void> => {
  prepareProcess()
  const program = new Command('trellis')
    .description('Gardener extension backends as scale-to-zero functions on Knative.')
    .version(await packageVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: printError })
    .showHelpAfterError('(add --help for more)')
    .addHelpText('after', '\nExample:\n  trellis dev --kubeconfig /tmp/seed.kubeconfig')
  const [, , given = '', asked = ''] = argv
  const name = given === 'help' ? asked : given
  try {
    for (const load of await commandsFor(name))
      program.addCommand((await load()).copyInheritedSettings(program))
  } catch (error) {
    // Loaded only here, because a successful command does not need it.
    const { isDefinitionError } = await import('../shared/runtime/runtime.ts')
    if (!isDefinitionError(error)) throw error
    process.exitCode = exitCodeOf(error)
    return
  }
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    // An interrupted start fails, and the error would have no reader.
    if (process.exitCode !== brokenPipe) process.exitCode = exitCodeOf(error)
  }
}
