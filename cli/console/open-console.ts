import { packageVersion } from '../../build/project/package-version.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import { journalVersion } from '../../shared/journal/journal.ts'
import { createKubernetes, httpTransport, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { printProblem } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { commandToCopy } from '../commands/observe-output.ts'
import {
  bridgeDeployments,
  type IsServed,
  providedResources,
  readJournalEntries,
  type SeedView,
  servedBy,
  stepsAtUrl,
  stepsOfBridges,
  viewIdOf,
} from '../observe/observe.ts'
import { accessOf } from '../open-cluster.ts'
import { bridgeAt, followBridges } from '../record/bridges/bridge-sources.ts'
import { followBridge } from '../record/bridges/follow-bridge.ts'
import type { RecordOptions } from '../record/record-seed.ts'
import { createCleanObject } from '../record/secrets/clean-object.ts'
import { createCleanValue } from '../record/secrets/clean-value.ts'
import { createHide } from '../record/secrets/hidden-text.ts'
import { exportPage } from './export-page.ts'
import { pageProgram } from './page-program.ts'
import { planByKubeconfig } from './plan-by-kubeconfig.ts'
import { type ConsoleActions, consoleActions } from './server/console-actions.ts'
import { eventsOf } from './server/object-events.ts'
import type { ConsoleSource } from './server/session.ts'
import type { ConsoleServer, PlanObject } from './server/start-server.ts'
import { type LiveSourceOptions, liveSource } from './sources/live-source.ts'
import { startConsole } from './start-console.ts'
import { createStore } from './store/create-store.ts'
import { observedTree } from './store/observed-tree.ts'

/**
 * Reads a journal from a file. Throws a `UsageError` if it is none. Broken lines are shown as gaps. A recorder sees the
 * steps that a bridge remembers after its first objects, so the entries are sorted by time.
 */
const journalSource = async (file: string): Promise<ConsoleSource> => {
  const journal = await readJournalEntries(file, process.stdin)
  const { problems } = journal
  const entries = journal.entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const from = Math.min(Date.parse(journal.header.at), Date.parse(entries[0]?.at ?? journal.header.at))
  const header = { ...journal.header, at: new Date(from).toISOString() }
  const at = entries.at(-1)?.at ?? header.at
  const gaps = problems.map(why => ({ type: 'gap' as const, at, why }))
  return { header, live: false, entries: once([...entries, ...gaps]) }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}

export interface OpenJournal {
  readonly file: string
  readonly port: number
  readonly providers: readonly Provider[]
  readonly clock: Clock
}

/** Serves a journal. Reads it before the server starts, so that a wrong file is an error of the command. */
export const openJournal = async ({ file, port, providers, clock }: OpenJournal): Promise<ConsoleServer> => {
  const source = await journalSource(file)
  const treeAt = observedTree(await providedResources(providers))
  return startConsole({
    clock,
    port,
    open: async () => ({ source, treeAt, isServed: unknownServed }),
    opensAtOnce: true,
    plan: 'a journal has no connection to the seed. Start the console with --kubeconfig and --plan',
    events: 'a journal has no Events of Kubernetes',
    onError: reportError,
  })
}

export interface OpenSeed {
  /** Default: the one that kubectl would use. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly port: number
  /** The URL of the bridge, for events and steps. Default: its pods, through the API server. */
  readonly bridge?: string
  readonly plan?: boolean
  /** The page may retry, reconcile, pause and resume, with the rights of the kubeconfig. Default: it only reads. */
  readonly allowActions?: boolean
  readonly endpoint?: string
  readonly providers: readonly Provider[]
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Serves a live seed. Watches begin when the page is opened. */
export const openSeed = async ({
  kubeconfig,
  context,
  bridge,
  plan,
  allowActions,
  ...options
}: OpenSeed): Promise<ConsoleServer> => {
  const { clock } = options
  const cluster = {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  }
  const access = await accessOf(cluster)
  const transport = httpTransport({ access })
  const kubernetes = createKubernetes({ transport: transport.send, clock })
  const server = await openCluster({
    ...options,
    kubernetes,
    commandOf: run => commandToCopy(run, cluster),
    ...(allowActions && { actions: consoleActions(kubernetes, { clock, user: access.user }) }),
    tap:
      bridge === undefined
        ? (recorder, isSelected, signal) =>
            followBridges(
              { kubernetes, send: transport.send, namespace: undefined, recorder, clock, isSelected },
              signal,
            )
        : bridgeTap(bridge, clock),
    past: signal =>
      bridge === undefined
        ? stepsOfBridges(kubernetes, transport.send, undefined, signal)
        : stepsAtUrl(bridge, signal),
    plan:
      plan && kubeconfig !== undefined
        ? planByKubeconfig({ ...options, kubeconfig })
        : 'the console was started without --plan',
  })
  return {
    ...server,
    close: async () => {
      await server.close()
      transport.close()
    },
  }
}

/** Adds the events and steps of the bridge at a URL. Throws a `UsageError` for another text. */
export const bridgeTap = (url: string, clock: Clock): NonNullable<RecordOptions['tap']> => {
  if (!/^https?:\/\//.test(url))
    throw new UsageError('--bridge: expected a URL such as http://127.0.0.1:8080')
  return (recorder, isSelected, signal) =>
    followBridge(bridgeAt(url), { recorder, clock, isSelected }, signal)
}

export interface ServedCluster {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  /** Adds events and steps. Default: only objects are shown. */
  readonly tap?: NonNullable<RecordOptions['tap']>
  /** Reads the steps and events from before the console. Default: none. */
  readonly past?: NonNullable<LiveSourceOptions['past']>
  readonly port: number
  /** A text is the reason why there are no plans. */
  readonly plan: PlanObject | string
  /** Adds the flags of the cluster to a command to copy. Default: it stays. */
  readonly commandOf?: (run: string) => string
  /** Default: the console only reads. */
  readonly actions?: ConsoleActions
  readonly providers: readonly Provider[]
  readonly clock: Clock
}

/** Serves a live seed over a client. */
export const openCluster = ({
  tap,
  past,
  kubernetes,
  providers,
  clock,
  port,
  plan,
  commandOf,
  actions,
}: ServedCluster): Promise<ConsoleServer> =>
  startConsole({
    clock,
    port,
    plan,
    events: eventsOf(kubernetes),
    ...(actions && { actions }),
    open: async signal => ({
      source: await liveSource(
        {
          ...{ kubernetes, clock, by: `trellis console ${await packageVersion()}` },
          ...(tap && { tap }),
          ...(past && { past }),
        },
        signal,
      ),
      treeAt: observedTree(await providedResources(providers), commandOf),
      isServed: await servedIn(kubernetes, signal),
    }),
    onError: reportError,
  })

/** Returns a journal as one HTML file. */
export const exportJournal = async (
  file: string,
  providers: readonly Provider[],
  shoot?: string,
): Promise<string> => {
  const { header, entries } = await journalSource(file)
  const store = createStore(header, {
    treeAt: observedTree(await providedResources(providers)),
    isServed: unknownServed,
  })
  for await (const batch of entries) for (const entry of batch) store.add(entry)
  return exportPage(store, await pageProgram(), shoot === undefined ? {} : { shoot })
}

/** Returns the present of a shoot as one HTML file, without secrets as far as fields and shapes tell them. */
export const exportView = async (
  { at: time, objects, steps = [], missing, isServed }: SeedView,
  providers: readonly Provider[],
  shoot: string,
): Promise<string> => {
  const at = new Date(time).toISOString()
  const by = `trellis trace ${await packageVersion()}`
  const store = createStore(
    { journal: journalVersion, by, at },
    { treeAt: observedTree(await providedResources(providers)), ...(isServed && { isServed }) },
  )
  const hide = createHide()
  const clean = createCleanValue(hide, { replace: text => text })
  const cleanObject = createCleanObject(clean, hide)
  for (const step of steps) store.add(clean(step))
  for (const object of objects)
    store.add({ type: 'object', at, id: viewIdOf(object), object: { ...cleanObject(object) } })
  for (const why of missing) store.add({ type: 'gap', at, why: clean(why) })
  return exportPage(store, await pageProgram(), { shoot })
}

/** A journal has no Deployments of bridges. */
const unknownServed: IsServed = () => 'unknown'

/** Without a bridge in the seed, as in a sandbox, only claims tell it. */
const servedIn = async (kubernetes: Pick<Kubernetes, 'list'>, signal: AbortSignal): Promise<IsServed> => {
  const { resource, labelSelector } = bridgeDeployments
  const bridges = await kubernetes.list(resource, { labelSelector, signal }).then(
    ({ items }) => items,
    () => [],
  )
  return bridges.length === 0 ? unknownServed : servedBy(bridges, [])
}

const reportError = (error: unknown): void =>
  printProblem('trellis', `the console reads no more entries: ${messageOf(error)}`)
