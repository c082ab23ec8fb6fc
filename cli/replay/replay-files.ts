import { existsSync } from 'node:fs'
import type { FoundFunction } from '../../functions/find-functions.ts'
import { type CloudOptions, flagsOf } from '../../sandbox/providers/flags.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { readState, writeState } from '../../sandbox/providers/state-file.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { loadGiven } from '../author/load-given.ts'
import { readObjects } from '../plan/read-objects.ts'
import type { WaitOptions } from '../until-there.ts'
import { chooseFunction } from './choose-function.ts'
import { functionsOfEvents, isNameOfFunction } from './functions-of-events.ts'
import { playableSteps } from './journal/playable-steps.ts'
import { isSelection, type StepSelection } from './journal/select-steps.ts'
import { jsonOutputOf } from './json-output.ts'
import { type Play, play, type Result } from './play.ts'
import type { RecordedRequest } from './process/record-requests.ts'
import { type EventFile, type ReviewFile, readSavedFile } from './read-saved-file.ts'
import { createReplayEnvironment, type ReplayCloud } from './replay-environment.ts'
import { type ReplayedEvent, wentWell } from './replayed-event.ts'
import { textOutputOf } from './text-output.ts'

/** The most steps after one event; more would never end. */
const mostSteps = 200

export interface ReplayOptions {
  /** The name of a function, or a folder with one. */
  readonly function?: string
  readonly kubeconfig?: string
  /** By provider name. */
  readonly clouds?: Readonly<Record<string, CloudOptions>>
  readonly cluster?: string
  readonly follow?: boolean
  readonly output: 'text' | 'json'
  /**
   * The folder of functions and webhooks: `<provider>/<kind>/function.ts`. Default: `functions/` of this repository.
   */
  readonly functionsRoot?: string
  /** The steps of a journal to replay. Default: all. */
  readonly select?: StepSelection
}

export interface ReplayOutput {
  readonly providers: readonly Provider[]
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  readonly color: boolean
  /** Waits until a service that another command is starting is available. Default: no wait. */
  readonly ready?: (given: WaitOptions) => Promise<void>
  /** Writes the state of a simulated cloud to a file. Default: this process writes it. */
  readonly saveState?: typeof writeState
  /** Prints a line beside the output. Default: none is printed. */
  readonly warn?: (line: string) => void
  /** Returns the HTTP requests of this process since its last call. Default: they are not shown. */
  readonly takeRequests?: () => readonly RecordedRequest[]
}

/**
 * Replays the events of each file in order, each file in a separate environment, and prints the results. Returns true
 * if all succeeded, and no line of a journal was left out. Throws a `UsageError` before the first event if any input is
 * invalid.
 */
export const replayFiles = async (
  paths: readonly string[],
  options: ReplayOptions,
  {
    providers,
    stdin,
    write,
    color,
    ready,
    saveState = writeState,
    warn = () => {},
    takeRequests,
  }: ReplayOutput,
): Promise<boolean> => {
  checkTogether(paths, options, providers)
  const { kubeconfig, select = {} } = options
  const clouds = await Promise.all(providers.map(provider => cloudOf(provider, options)))
  const beside = options.cluster === undefined ? [] : await readObjects(options.cluster, stdin)
  const files: EventFile[] = []
  const reviews: ReviewFile[] = []
  let isWhole = true
  for (const path of paths) {
    const read = await readSavedFile(path, stdin)
    if (!('recorded' in read) && isSelection(select))
      throw new UsageError(
        `${read.file} is not a journal. --step, --at, --shoot, --object and --failed select steps of journals`,
      )
    if ('recorded' in read && read.problems.length > 0) isWhole = false
    if ('reviews' in read) reviews.push(read)
    else files.push('recorded' in read ? playableSteps(read, select, warn) : read)
  }
  if (reviews.length > 0) {
    if (files.length > 0 || kubeconfig !== undefined || options.follow)
      throw new UsageError('reviews cannot be combined with events, --kubeconfig or --follow')
    const { replayReviews } = await import('./review/replay-reviews.ts')
    return replayReviews(reviews, beside, options, { providers, write, color })
  }
  const objects = options.cluster === undefined ? [] : shootObjectsIn(options.cluster, beside)
  if (kubeconfig === undefined) for (const file of files) checkComplete(file)

  const events = files.flatMap(file => file.events)
  const given = await givenFunctions(options.function, options.functionsRoot)
  const own = await functionsOfEvents(
    events,
    given.length > 0 ? undefined : options.function,
    options.functionsRoot,
    given,
  )
  const functions = [...given, ...own]
  const named = given.length > 0 ? (given.length === 1 ? given[0]?.name : undefined) : options.function
  const plays = files.map(({ file, events, steps }) =>
    events.map((event, index) => ({
      file: steps === undefined ? file : `${file} step ${steps[index]?.id}`,
      recorded: steps?.[index],
      event,
      live: kubeconfig !== undefined,
      first: events.findIndex(({ objectuid }) => objectuid === event.objectuid) === index,
      chosen: chooseFunction(functions, event, named, `${file}: event ${index + 1}`),
    })),
  )

  // A health check only calls the API server.
  const reachesCloud = ({ event }: Play) => kubeconfig === undefined || event.operation !== 'healthcheck'
  const replayedProviders = new Set(
    plays
      .flat()
      .filter(reachesCloud)
      .map(({ chosen }) => chosen.provider),
  )
  const needed = clouds.filter(({ provider }) => replayedProviders.has(provider.name))
  if (kubeconfig !== undefined) checkLive(needed)
  if (kubeconfig !== undefined) await ready?.({ kubeconfig })
  for (const { endpoint } of needed) if (endpoint !== undefined) await ready?.({ endpoint })
  const all: ReplayedEvent[] = []
  for (const ofFile of plays) {
    const environment = await createReplayEnvironment({
      objects,
      clouds: needed,
      recorded: ofFile.map(({ event }) => event.data),
      ...(kubeconfig !== undefined && { kubeconfig }),
    })
    try {
      for (const saved of ofFile) {
        let next: Play | undefined = saved
        for (let steps = 0; next !== undefined; steps++) {
          const result: Result = await play(environment, next, takeRequests)
          const { replayed } = result
          if (options.output === 'text')
            write(`${all.length > 0 ? '\n' : ''}${textOutputOf(replayed, color)}`)
          all.push(replayed)
          const event = options.follow && steps < mostSteps ? result.next : undefined
          next = event && { ...saved, recorded: undefined, event, first: false, follows: true }
        }
      }
      for (const { provider } of needed) {
        const path = options.clouds?.[provider.name]?.saveState
        const held = path === undefined ? undefined : environment.cloud(provider.name).snapshot()
        if (path !== undefined && held !== undefined) await saveState(path, held)
      }
    } finally {
      await environment.close()
    }
  }
  if (options.output === 'json') write(`${JSON.stringify(all.map(jsonOutputOf), null, 2)}\n`)
  return isWhole && all.every(wentWell)
}

/** Returns the functions of the folder in `--function`, which also accepts a name. */
const givenFunctions = async (
  given: string | undefined,
  root: string | undefined,
): Promise<readonly FoundFunction[]> =>
  given === undefined || !existsSync(given) || (await isNameOfFunction(given, root)) ? [] : loadGiven([given])

/** Returns the Clusters and Secrets in a file of objects. Throws a `UsageError` if there is no Cluster. */
const shootObjectsIn = (path: string, objects: readonly KubernetesObject[]) => {
  if (objects.every(({ kind }) => kind !== 'Cluster')) throw new UsageError(`${path}: contains no Cluster`)
  return objects.filter(({ kind }) => kind === 'Cluster' || kind === 'Secret')
}

/** Reads the initial state of a cloud. Throws a `UsageError` that names the file and the problem. */
const cloudOf = async (provider: Provider, options: ReplayOptions): Promise<ReplayCloud> => {
  const { endpoint, state: path } = options.clouds?.[provider.name] ?? {}
  const given = { provider, ...(endpoint !== undefined && { endpoint }) }
  if (path === undefined) return given
  const read = await readState(path, provider.parseState, flagsOf(provider).state)
  if (read === undefined) throw new UsageError(`${path}: cannot be read (ENOENT)`)
  return { ...given, state: read.state }
}

const checkTogether = (
  paths: readonly string[],
  options: ReplayOptions,
  providers: readonly Provider[],
): void => {
  const given = providers.map(provider => ({
    title: provider.title,
    flags: flagsOf(provider),
    ...options.clouds?.[provider.name],
  }))
  if (options.kubeconfig !== undefined && (options.follow || options.cluster !== undefined)) {
    const flag = options.follow ? '--follow' : '--cluster'
    throw new UsageError(
      `${flag} cannot be combined with --kubeconfig: the live seed has its own bridge and Clusters`,
    )
  }
  for (const { title, flags, endpoint, state, saveState } of given) {
    if (options.follow && endpoint !== undefined)
      throw new UsageError(
        `--follow needs the simulated ${title}, where waiting takes no time; it cannot be combined with ${flags.endpoint}`,
      )
    if (saveState !== undefined && (endpoint !== undefined || paths.length > 1))
      throw new UsageError(`${flags.saveState} needs the simulated ${title} and exactly one file`)
    if (state !== undefined && endpoint !== undefined)
      throw new UsageError(
        `${flags.state} needs the simulated ${title} and cannot be combined with ${flags.endpoint}`,
      )
    if (endpoint !== undefined && !/^https?:$/.test(protocolOf(endpoint)))
      throw new UsageError(`${flags.endpoint}: expected a URL such as http://127.0.0.1:4566`)
  }
  if ([...paths, options.cluster].filter(path => path === '-').length > 1)
    throw new UsageError('standard input can be read only once')
}

/** If the objects are live, every cloud of the events must be real, too. */
const checkLive = (clouds: readonly ReplayCloud[]): void => {
  const simulated = clouds.filter(({ endpoint }) => endpoint === undefined)
  if (simulated.length > 0) throw needsEndpoint(simulated.map(({ provider }) => provider))
}

const needsEndpoint = (providers: readonly Provider[]): UsageError => {
  const flags = providers.map(provider => flagsOf(provider).endpoint).join(' or ')
  return new UsageError(
    `--kubeconfig needs ${flags}: a live object must not get the ids of simulated resources`,
  )
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '')

/** The sandbox has only the data in the event. */
const checkComplete = ({ file, events }: EventFile): void => {
  const index = events.findIndex(({ data }) => data === undefined)
  if (index === -1) return
  const why =
    events[index]?.operation === 'healthcheck'
      ? 'as in every health check, which reads the live object'
      : 'because the object was too large'
  throw new UsageError(
    `${file}: event ${index + 1} has no object, ${why}. Replay it against the live object with --kubeconfig`,
  )
}
