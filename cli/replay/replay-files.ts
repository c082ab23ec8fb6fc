import { findFunctions } from '../../functions/find-functions.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import { writeState } from '../aws/state-file.ts'
import { UsageError } from '../exit-code.ts'
import { readObjects } from '../plan/read-objects.ts'
import type { Given } from '../until-there.ts'
import { readAccount } from './account.ts'
import { chooseFunction } from './choose-function.ts'
import { jsonOf } from './json-output.ts'
import { type Play, play, type Result } from './play.ts'
import { type EventFile, readEventFile } from './read-event-file.ts'
import { createReplayEnvironment } from './replay-environment.ts'
import { type ReplayedEvent, wentWell } from './replayed-event.ts'
import { textOf } from './text-output.ts'

/** So many steps follow one event; more come to no end. */
const mostSteps = 200

export interface ReplayOptions {
  readonly function?: string
  readonly kubeconfig?: string
  readonly awsEndpoint?: string
  readonly awsState?: string
  readonly saveAwsState?: string
  readonly cluster?: string
  readonly follow?: boolean
  readonly output: 'text' | 'json'
  /** Where functions are looked for: `<provider>/<kind>/function.ts`. Absent: `functions/` of this repository. */
  readonly functionsRoot?: string
}

export interface ReplayOutput {
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  readonly color: boolean
  /** Waits until what another command is about to start is there; absent: it is there. */
  readonly ready?: (given: Given) => Promise<void>
}

/**
 * Plays the events of each file in their order, each file on a stage of its own, and prints what came of them.
 * Returns whether all went well. Throws a `UsageError` before anything is played when some input cannot be used.
 */
export const replayFiles = async (
  paths: readonly string[],
  options: ReplayOptions,
  { stdin, write, color, ready }: ReplayOutput,
): Promise<boolean> => {
  checkTogether(paths, options)
  const { kubeconfig, awsEndpoint } = options
  const account = options.awsState === undefined ? undefined : await readAccount(options.awsState)
  const objects = options.cluster === undefined ? [] : await clustersIn(options.cluster, stdin)
  const files: EventFile[] = []
  for (const path of paths) files.push(await readEventFile(path, stdin))
  if (kubeconfig === undefined) for (const file of files) checkComplete(file)

  const functions = await findFunctions(options.functionsRoot)
  const plays = files.map(({ file, events }) =>
    events.map((event, index) => ({
      file,
      event,
      live: kubeconfig !== undefined,
      first: events.findIndex(({ objectuid }) => objectuid === event.objectuid) === index,
      chosen: chooseFunction(functions, event, options.function, `${file}: event ${index + 1}`),
    })),
  )

  await ready?.({
    ...(awsEndpoint !== undefined && { endpoint: awsEndpoint }),
    ...(kubeconfig !== undefined && { kubeconfig }),
  })
  const all: ReplayedEvent[] = []
  for (const ofFile of plays) {
    const accountId = accountOf(ofFile.map(({ event }) => event))
    const environment = await createReplayEnvironment({
      objects,
      ...(accountId !== undefined && { accountId }),
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(awsEndpoint !== undefined && { awsEndpoint }),
      ...(account !== undefined && { account }),
    })
    try {
      for (const saved of ofFile) {
        let next: Play | undefined = saved
        for (let steps = 0; next !== undefined; steps++) {
          const result: Result = await play(environment, next)
          const { replayed } = result
          if (options.output === 'text') write(`${all.length > 0 ? '\n' : ''}${textOf(replayed, color)}`)
          all.push(replayed)
          const event = options.follow && steps < mostSteps ? result.next : undefined
          next = event && { ...saved, event, first: false, follows: true }
        }
      }
      const account = options.saveAwsState === undefined ? undefined : environment.account()
      if (options.saveAwsState !== undefined && account !== undefined)
        await writeState(options.saveAwsState, account)
    } finally {
      environment.close()
    }
  }
  if (options.output === 'json') write(`${JSON.stringify(all.map(jsonOf), null, 2)}\n`)
  return all.every(wentWell)
}

/** The clusters of a file with objects. Throws a `UsageError` when there is none. */
const clustersIn = async (path: string, stdin: NodeJS.ReadableStream) => {
  const clusters = (await readObjects(path, stdin)).filter(({ kind }) => kind === 'Cluster')
  if (clusters.length === 0) throw new UsageError(`${path}: holds no Cluster`)
  return clusters
}

/** The AWS account whose number stands in the objects of events; undefined when none does. */
const accountOf = (events: readonly ExtensionEvent[]): string | undefined =>
  /"arn:aws[a-z-]*:iam::(\d{12}):/.exec(JSON.stringify(events.map(({ data }) => data?.status)))?.[1]

const checkTogether = (paths: readonly string[], options: ReplayOptions): void => {
  if (options.kubeconfig !== undefined && options.awsEndpoint === undefined) {
    throw new UsageError(
      '--kubeconfig needs --aws-endpoint: a live object must not be told of records that only a simulator has',
    )
  }
  if (options.kubeconfig !== undefined && (options.follow || options.cluster !== undefined)) {
    const flag = options.follow ? '--follow' : '--cluster'
    throw new UsageError(
      `${flag} does not go with --kubeconfig: the live seed has its own bridge and Clusters`,
    )
  }
  if (options.follow && options.awsEndpoint !== undefined) {
    throw new UsageError(
      '--follow is for the simulated AWS, whose time passes at once; it does not go with --aws-endpoint',
    )
  }
  if (options.saveAwsState !== undefined && (options.awsEndpoint !== undefined || paths.length > 1)) {
    throw new UsageError('--save-aws-state is for the simulated AWS of one file')
  }
  if (options.awsState !== undefined && options.awsEndpoint !== undefined) {
    throw new UsageError('--aws-state is for the simulated AWS and does not go with --aws-endpoint')
  }
  if (options.awsEndpoint !== undefined && !/^https?:$/.test(protocolOf(options.awsEndpoint))) {
    throw new UsageError('--aws-endpoint: expected a URL such as http://127.0.0.1:4566')
  }
  if ([...paths, options.cluster].filter(path => path === '-').length > 1)
    throw new UsageError('standard input can be read only once')
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '')

/** The sandbox has nothing but what the event says. */
const checkComplete = ({ file, events }: EventFile): void => {
  const index = events.findIndex(({ data }) => data === undefined)
  if (index === -1) return
  throw new UsageError(
    `${file}: event ${index + 1} came without its object, which was too large for it; play it against the live one with --kubeconfig`,
  )
}
