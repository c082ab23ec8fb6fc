import { UsageError } from '../exit-code.ts'
import { readAccount } from './account.ts'
import { chooseFunction } from './choose-function.ts'
import { jsonOf } from './json-output.ts'
import { play } from './play.ts'
import { type Played, wentWell } from './played.ts'
import { type EventFile, readEventFile } from './read-events.ts'
import { createStage } from './stage.ts'
import { textOf } from './text-output.ts'

export interface ReplayOptions {
  readonly function?: string
  readonly kubeconfig?: string
  readonly awsEndpoint?: string
  readonly awsState?: string
  readonly output: 'text' | 'json'
}

export interface ReplayOutput {
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  readonly color: boolean
}

/**
 * Plays the events of each file in their order, each file on a stage of its own, and prints what came of them.
 * Returns whether all went well. Throws a `UsageError` before anything is played when some input cannot be used.
 */
export const replayFiles = async (
  paths: readonly string[],
  options: ReplayOptions,
  { stdin, write, color }: ReplayOutput,
): Promise<boolean> => {
  checkTogether(paths, options)
  const { kubeconfig, awsEndpoint } = options
  const account = options.awsState === undefined ? undefined : await readAccount(options.awsState)
  const files: EventFile[] = []
  for (const path of paths) files.push(await readEventFile(path, stdin))
  if (kubeconfig === undefined) for (const file of files) checkComplete(file)

  const plays = files.map(({ file, events }) =>
    events.map((event, index) => ({
      file,
      event,
      live: kubeconfig !== undefined,
      first: events.findIndex(({ objectuid }) => objectuid === event.objectuid) === index,
      chosen: chooseFunction(event, options.function, `${file}: event ${index + 1}`),
    })),
  )

  const all: Played[] = []
  for (const ofFile of plays) {
    const stage = await createStage({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(awsEndpoint !== undefined && { awsEndpoint }),
      ...(account !== undefined && { account }),
    })
    try {
      for (const next of ofFile) {
        const played = await play(stage, next)
        if (options.output === 'text') write(`${all.length > 0 ? '\n' : ''}${textOf(played, color)}`)
        all.push(played)
      }
    } finally {
      stage.close()
    }
  }
  if (options.output === 'json') write(`${JSON.stringify(all.map(jsonOf), null, 2)}\n`)
  return all.every(wentWell)
}

const checkTogether = (paths: readonly string[], options: ReplayOptions): void => {
  if (options.kubeconfig !== undefined && options.awsEndpoint === undefined) {
    throw new UsageError(
      '--kubeconfig needs --aws-endpoint: a live object must not be told of records that only a simulator has',
    )
  }
  if (options.awsState !== undefined && options.awsEndpoint !== undefined) {
    throw new UsageError('--aws-state is for the simulated AWS and does not go with --aws-endpoint')
  }
  if (options.awsEndpoint !== undefined && !/^https?:$/.test(protocolOf(options.awsEndpoint))) {
    throw new UsageError('--aws-endpoint: expected a URL such as http://127.0.0.1:4566')
  }
  if (paths.filter(path => path === '-').length > 1)
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
