import type { Command } from 'commander'
import type { Provider } from '../sandbox/providers/provider.ts'

export interface ListedCommand {
  /** One line of at most 66 characters, for the list of commands. */
  readonly summary: string
  /** Loads the command on demand, because some need all of a cloud's SDK. */
  readonly load: () => Promise<Command>
}

export type ListedCommands = Readonly<Record<string, ListedCommand>>

/** Loads the providers; commands that do not need them start without. */
const providers = async (): Promise<readonly Provider[]> =>
  (await import('../sandbox/providers/find-providers.ts')).findProviders()

const operate: ListedCommands = {
  status: {
    summary: 'Print all shoots of a seed, failing ones first',
    load: async () => (await import('./commands/status.ts')).statusCommand(),
  },
  trace: {
    summary: 'Print the tree of a shoot: its objects, their waits and errors',
    load: async () => (await import('./commands/trace.ts')).traceCommand(await providers()),
  },
  history: {
    summary: 'Print the last steps of a shoot and their failed calls',
    load: async () => (await import('./commands/history.ts')).historyCommand(),
  },
  console: {
    summary: 'Show the shoots of a seed or a journal on a page',
    load: async () => (await import('./commands/console.ts')).consoleCommand(await providers()),
  },
  doctor: {
    summary: 'Check an installation of Trellis and say how to fix it',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
  plan: {
    summary: 'Print the changes that a reconciliation would make',
    load: async () => (await import('./commands/plan.ts')).planCommand(await providers()),
  },
  drift: {
    summary: 'Print what was changed in the clouds behind the back of Trellis',
    load: async () => (await import('./commands/drift.ts')).driftCommand(await providers()),
  },
  upgrade: {
    summary: 'Print what another version would do to the shoots of a seed',
    load: async () => (await import('./commands/upgrade.ts')).upgradeCommand(),
  },
  reconcile: {
    summary: 'Reconcile objects at once, after a look at what happens',
    load: async () => (await import('./commands/act.ts')).actCommand('reconcile'),
  },
  retry: {
    summary: 'Retry failed objects at once, without the rest of their wait',
    load: async () => (await import('./commands/act.ts')).actCommand('retry'),
  },
  pause: {
    summary: 'Stop all work on a shoot or an object until a date',
    load: async () => (await import('./commands/act.ts')).actCommand('pause'),
  },
  resume: {
    summary: 'End a pause before its date',
    load: async () => (await import('./commands/act.ts')).actCommand('resume'),
  },
  record: {
    summary: 'Record what happens to shoots into a journal',
    load: async () => (await import('./commands/record.ts')).recordCommand(),
  },
  replay: {
    summary: 'Repeat events or the steps of a journal in a simulated cloud',
    load: async () => (await import('./commands/replay.ts')).replayCommand(await providers()),
  },
}

const develop: ListedCommands = {
  new: {
    summary: 'Write a function, or a project with one',
    load: async () => (await import('./commands/new.ts')).newCommand(),
  },
  dev: {
    summary: 'Start a seed on this machine, with simulated clouds',
    load: async () => (await import('./commands/dev.ts')).devCommand(await providers()),
  },
  demo: {
    summary: 'Watch a shoot from its creation to its deletion, with faults',
    load: async () => (await import('./commands/demo.ts')).demoCommand(await providers()),
  },
  bridge: {
    summary: 'Run the bridge alone, against any API server and broker',
    load: async () => (await import('./commands/bridge.ts')).bridgeCommand(),
  },
  crds: {
    summary: 'Print the CustomResourceDefinitions of Gardener',
    load: async () => (await import('./commands/crds.ts')).crdsCommand(),
  },
  completion: {
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completionCommand(loadAll),
  },
}

const ship: ListedCommands = {
  bundle: {
    summary: 'Bundle each program of a project into one file',
    load: async () => (await import('./commands/bundle.ts')).bundleCommand(),
  },
  image: {
    summary: 'Build and push an image of each program, without an engine',
    load: async () => (await import('./commands/image.ts')).imageCommand(),
  },
  chart: {
    summary: 'Pack and push the Helm charts of a project',
    load: async () => (await import('./commands/chart.ts')).chartCommand(),
  },
  manifests: {
    summary: 'Write the manifests of a project into its folder knative',
    load: async () => (await import('./commands/manifests.ts')).manifestsCommand(),
  },
  install: {
    summary: 'Print an installation: manifests, chart, or registration',
    load: async () => (await import('./commands/install.ts')).installCommand(),
  },
}

const own: ListedCommands = { ...operate, ...develop, ...ship }

/** Returns a command of Trellis itself, without loading the providers. */
export const ownCommand = (name: string): ListedCommand | undefined =>
  Object.hasOwn(own, name) ? own[name] : undefined

/** Returns all commands by the heading of their group, in the order of the help; those of the providers develop. */
export const commandGroups = async (): Promise<Readonly<Record<string, ListedCommands>>> => ({
  'Operate a seed:': operate,
  'Develop functions:': Object.assign({}, develop, ...(await providers()).map(({ commands }) => commands)),
  'Ship them:': ship,
})

/** Returns all commands by name. */
export const allCommands = async (): Promise<ListedCommands> =>
  Object.assign({}, ...Object.values(await commandGroups()))

/** Loads all commands, each with its line in the list. */
const loadAll = async (): Promise<readonly Command[]> =>
  Promise.all(
    Object.values(await allCommands()).map(async ({ summary, load }) => (await load()).summary(summary)),
  )
