import { findFunctions } from '../../functions/find-functions.ts'
import { createSentences } from '../../sandbox/narration/sentence.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import type { Stage, Stop, TourPart } from '../../sandbox/providers/stop.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import {
  type FunctionProcess,
  functionProcesses,
  type ProcessOptions,
  type SeedFunction,
  type StartFunction,
} from '../../sandbox/seed/seed.ts'
import { colors } from '../../sandbox/terminal/colors.ts'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { envName, processSettingsOf } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { bridgeTap, openCluster } from '../console/console.ts'
import { commandName } from '../how-to-call.ts'
import { createPrinter } from '../narration/printer.ts'
import { writeKubeconfig } from '../sandbox/kubeconfig-file.ts'
import {
  type ProvidedClouds,
  sandboxSettings,
  simulatedClouds,
  startSandbox,
} from '../sandbox/start-sandbox.ts'
import { createPacedOutput } from './paced-output.ts'

/** Functions in separate processes that can be killed. */
interface MortalFunctions {
  readonly start: (options: ProcessOptions) => StartFunction
  /** Kills the process of a function, as in a crash, and returns its id; undefined if none runs. */
  readonly kill: (name: string) => number | undefined
}

const mortalFunctions = (): MortalFunctions => {
  const running = new Map<string, FunctionProcess>()
  return {
    start: options => {
      const start = functionProcesses(options)
      return async fn => {
        const started = await start(fn)
        running.set(fn.name, started)
        return started
      }
    },
    kill: name => {
      const process = running.get(name)
      running.delete(name)
      process?.kill()
      return process?.pid
    },
  }
}

/** The longest time for one stop, in ms, on a busy machine. */
const stopLimitMs = 30_000

/**
 * The time after its last event until a function scales to zero in the demo, in ms, so that a user can see it. It is
 * longer than a step on a busy machine, because the sandbox regards a working function as idle.
 */
const demoIdleMs = 4_000

/** The factor for the clouds' durations. */
const demoScale = 0.01

/** The duration of a claim in the demo, in ms: work of a killed function continues after this time. */
const claimMs = { step: 5_000, margin: 1_000 }

/** The pauses between two stops of the tour, and after the result of a stop. */
const pausesOfStop = 3

export interface DemoOptions {
  readonly write: (text: string) => void
  /** The time between two lines, in ms; 0: at once. */
  readonly paceMs: number
  /** Ends the demo early, with everything it has started. */
  readonly signal: AbortSignal
  readonly providers: readonly Provider[]
  /** Default: the tour. */
  readonly stops?: readonly Stop[]
  readonly clock?: Clock
  /** Default: true. */
  readonly hasConsole?: boolean
}

/**
 * Runs the tour and prints the result.
 *
 * @returns true if every stop succeeded
 */
export const runDemo = async ({
  write,
  paceMs,
  signal,
  providers,
  stops: given,
  clock = systemClock,
  hasConsole = true,
}: DemoOptions): Promise<boolean> => {
  const output = createPacedOutput({ write, clock, paceMs, signal })
  const printer = createPrinter(clock, output.write)
  const sentenceOf = createSentences()
  const start = clock.now()
  const rows: { readonly title: string; readonly ms: number; readonly problem?: string }[] = []

  // Loaded before the first line: loading cannot be interrupted, and an aborting user should not have to wait.
  const [present, clouds] = await Promise.all([findFunctions(), simulatedClouds(providers, demoScale)])
  printer.line(
    colors.bold(
      `\nStarting a seed on this machine: API server, bridge, broker and functions, with ${titlesOf(providers)}.\n`,
    ),
  )
  const functions = mortalFunctions()
  const put: (() => Promise<void>)[] = []
  try {
    const sandbox = await startSandbox({
      providers,
      functions: present,
      clouds,
      idleMs: demoIdleMs,
      scale: demoScale,
      startFunction:
        ({ kubeconfig, cloudEnvironment }) =>
        async fn => {
          const file = await writeKubeconfig(kubeconfig, undefined)
          put.push(file.remove)
          const start = functions.start({
            kubeconfig: file.path,
            env: { ...environmentOf(fn, providers), ...cloudEnvironment(fn) },
          })
          return start(fn)
        },
      observe: event => {
        const sentence = sentenceOf(event)
        if (sentence !== undefined) printer.sentence(sentence)
      },
    })
    put.push(sandbox.close)
    const show: Stage['show'] = async (name, { kubernetes, bridgeUrl }) => {
      if (!hasConsole) return
      const plan = 'the demo deletes its objects at once. Start trellis dev'
      const tap = bridgeTap(bridgeUrl, clock)
      const page = await openCluster({ kubernetes, tap, port: 0, plan, providers, clock })
      put.push(page.close)
      printer.line(`The console shows ${name} on a page until the demo ends: ${page.url}\n`)
    }
    await show('this seed', sandbox)
    const stage: Stage = {
      ...sandbox,
      functions: present,
      kill: functions.kill,
      print: printer.sentence,
      show,
      atEnd: close => void put.push(close),
    }
    rows.push({ title: 'start the sandbox', ms: clock.now() - start })
    for (const { title, typed, run } of given ?? (await tour(providers, sandbox.clouds))) {
      await output.shown(pausesOfStop)
      printer.line(`\n${colors.bold(title)}\n${colors.dim(`  ${typed}`)}\n`)
      const began = clock.now()
      const problem = await run(stage, AbortSignal.any([AbortSignal.timeout(stopLimitMs), signal])).then(
        shown => {
          if (shown !== '') printer.line(`\n${shown}`)
          return undefined
        },
        messageOf,
      )
      if (signal.aborted) return false
      rows.push({ title, ms: clock.now() - began, ...(problem === undefined ? {} : { problem }) })
      if (problem !== undefined) break
    }
  } finally {
    for (const away of put.reverse()) await away()
  }

  const end = clock.now()
  await output.shown(pausesOfStop)
  printer.line(colors.bold('\nSummary\n'))
  for (const { title, ms, problem } of rows) {
    const mark = problem === undefined ? colors.green('ok  ') : colors.red('off ')
    printer.line(
      `  ${mark} ${seconds(ms)}  ${title}${problem === undefined ? '' : `: ${colors.red(problem)}`}`,
    )
  }
  printer.line(`\n  ${seconds(end - start)}  in total. Try it yourself: ${commandName()} dev\n`)
  await output.shown(0)
  return rows.every(({ problem }) => problem === undefined)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2).padStart(6)} s`

/** Returns the environment of a function's process: the demo's settings that the function has. */
const environmentOf = (
  definition: Pick<SeedFunction, 'settings'>,
  providers: readonly Provider[],
): Readonly<Record<string, string>> => {
  const given = {
    ...sandboxSettings(providers, demoScale),
    stepLimitMs: claimMs.step,
    stepMarginMs: claimMs.margin,
  }
  const { shape } = processSettingsOf(definition)
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name in shape)
      .map(([name, value]) => [envName(name), String(value)]),
  )
}

/** Returns the stops of the guided tour, in order; each builds on the previous ones. */
const tour = async (providers: readonly Provider[], clouds: ProvidedClouds): Promise<readonly Stop[]> => {
  const parts: TourPart[] = []
  for (const provider of providers) {
    const cloud = clouds[provider.name]
    const part = cloud && (await provider.stops?.(cloud))
    if (part !== undefined) parts.push(part)
  }
  return [
    ...parts.flatMap(({ inSandbox }) => inSandbox),
    rest,
    ...parts.flatMap(({ afterwards = [] }) => afterwards),
  ]
}

const rest: Stop = {
  title: 'Nothing to do: the functions scale to zero',
  typed: '(wait)',
  run: async (stage, signal) => {
    for (const { name } of stage.functions) while (stage.isAwake(name)) await stage.clock.sleep(20, signal)
    return ''
  },
}
