import { basename, dirname } from 'node:path'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import type { Sentence } from '../../sandbox/narration/sentence.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { functionProcesses, type RunningFunction } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { envName, hostSettings, reportPath } from '../../shared/runtime/runtime.ts'
import { type Sandbox, sandboxSettings } from '../sandbox/start-sandbox.ts'
import { askAgain } from './ask-again.ts'
import { type AuthorFunctions, openAuthorFunctions } from './author-functions.ts'
import type { DescribedFunction, FirstReading } from './description.ts'
import { endWithin } from './end-within.ts'
import { logSentence } from './log-sentence.ts'
import { readDescription } from './read-description.ts'
import { fileWatch } from './watch-files.ts'

export interface ServeOptions {
  readonly files: readonly string[]
  /** The first reading of each file (`describeFiles`). */
  readonly described: FirstReading
  readonly sandbox: Sandbox
  readonly providers: readonly Provider[]
  readonly scale: number
  /** The path of its kubeconfig. */
  readonly kubeconfig: string
  readonly isWatched: boolean
  /** The port of the inspector of the first function; further functions have the next ones. 0: the system chooses. */
  readonly inspect?: number
  /** Prints every line of a log, not only warnings and other output. */
  readonly isVerbose: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly print: (sentence: Sentence) => void
}

/**
 * Returns the functions of this project without the replaced ones: a given function replaces the one in the same folder
 * of the same provider. The given ones may be broken, and are read elsewhere.
 */
export const ownFunctions = (files: readonly string[]): Promise<readonly FoundFunction[]> => {
  const placeOf = (folder: string) => `${basename(dirname(folder))}/${basename(folder)}`
  const given = new Set(files.map(file => placeOf(dirname(file))))
  return findFunctions(undefined, folder => !given.has(placeOf(folder)))
}

/** Reads the files at the start of a sandbox, which watches what their health depends on. */
export const describeFiles = async (files: readonly string[]): Promise<FirstReading> => {
  const at = Date.now()
  const { signal } = new AbortController()
  const read = async (file: string) => [file, await readDescription(file, systemClock, signal)] as const
  return { at, byFile: new Map(await Promise.all(files.map(read))) }
}

/** Serves functions of any folders in a sandbox, each in a separate process. */
export const serveAuthorFunctions = (options: ServeOptions): Promise<AuthorFunctions> => {
  const { files, described, sandbox, kubeconfig, isWatched, inspect, isVerbose, print } = options
  const inspectors = new Map(files.map((file, index) => [file, inspect && inspect + index]))
  const startProcess = functionProcesses({ kubeconfig })
  const start = async (file: string, { name, settings }: DescribedFunction): Promise<RunningFunction> => {
    const running = await startProcess(
      { name, file },
      {
        env: {
          [envName('reportTo')]: sandbox.bridgeUrl + reportPath,
          [envName('reportToken')]: sandbox.reportToken(name),
          ...settingsOf(settings, options),
          ...sandbox.cloudEnvironment({ file }),
        },
        ...(inspect !== undefined && { nodeArgs: [`--inspect=127.0.0.1:${inspectors.get(file) ?? 0}`] }),
        onLine: line => {
          const sentence = logSentence(name, line, isVerbose)
          if (sentence !== undefined) print(sentence)
        },
      },
    )
    const say = (text: string) => () => print({ part: 'function', text: `${name}: ${text}`, tone: 'hint' })
    const close = () =>
      endWithin(running, {
        clock: systemClock,
        onWait: say(
          'a step is still running; new work for its object waits until the step ends or times out',
        ),
        onKill: say('its process did not exit and is killed'),
      })
    return { ...running, close }
  }
  return openAuthorFunctions({
    files,
    described,
    clock: systemClock,
    read: readDescription,
    start,
    host: sandbox.host,
    restart: sandbox.restart,
    own: sandbox.functions,
    askAgain: fn => askAgain(fn, sandbox.kubernetes, systemClock),
    ...(isWatched && { watch: fileWatch(systemClock) }),
    print: (text, tone) => print({ part: 'function', text, tone }),
  })
}

/** Settings of the process that a user cannot change, such as its port. */
const isOfSandbox = (name: string): boolean => name in hostSettings && name !== 'logLevel' && name !== 'host'

/**
 * Returns its environment: the settings of the sandbox, and the function's own settings from the user's environment.
 */
const settingsOf = (
  names: readonly string[],
  { providers, scale, env }: Pick<ServeOptions, 'providers' | 'scale' | 'env'>,
): Readonly<Record<string, string>> => {
  const sandboxes = sandboxSettings(providers, scale)
  return Object.fromEntries(
    names.flatMap(name => {
      const given = isOfSandbox(name) ? undefined : env[envName(name)]
      const value = given ?? sandboxes[name]
      return value === undefined ? [] : [[envName(name), String(value)]]
    }),
  )
}
