import { findFunctions } from '../../functions/find-functions.ts'
import { createSentences } from '../../sandbox/narration/sentence.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import type { Stage, Stop } from '../../sandbox/providers/stop.ts'
import { titlesOf } from '../../sandbox/providers/titles.ts'
import type { SeedFunction } from '../../sandbox/seed/seed.ts'
import { colors } from '../../sandbox/terminal/colors.ts'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { messageOf } from '../../shared/contract/message-of.ts'
import { envName, processSettingsOf } from '../../shared/runtime/runtime.ts'
import { commandName } from '../how-to-call.ts'
import { createPrinter } from '../narration/printer.ts'
import { writeKubeconfig } from '../sandbox/kubeconfig-file.ts'
import { sandboxSettings, simulatedClouds, startSandbox } from '../sandbox/start-sandbox.ts'
import { mortalFunctions } from './mortal-functions.ts'
import { createPacedOutput } from './paced-output.ts'
import { tour } from './tour.ts'

/** Longest time for one stop, in ms, on a machine that is busy with other things. */
const stopLimitMs = 30_000

/**
 * A function scales to zero so long after its last event in the demo, in ms, so that it can be watched: later than a step ends on a
 * busy machine, for one that is at work is idle to the sandbox.
 */
const demoIdleMs = 4_000

/** Of the clouds' durations. */
const demoScale = 0.01

/** How long a step holds its claim in the demo, in ms: what dies with a function goes on after so long. */
const claimMs = { step: 5_000, margin: 1_000 }

/** Paces between two stops of the tour, and after what a stop shows. */
const pausesOfStop = 3

export interface DemoOptions {
  readonly write: (text: string) => void
  /** From a line to the next, in ms; 0: at once. */
  readonly paceMs: number
  /** Ends the demo early: what it started ends with it. */
  readonly signal: AbortSignal
  readonly providers: readonly Provider[]
  /** The tour when absent. */
  readonly stops?: readonly Stop[]
  readonly clock?: Clock
}

/**
 * Runs the tour and says how it went.
 *
 * @returns whether every stop did what it should
 */
export const runDemo = async ({
  write,
  paceMs,
  signal,
  providers,
  stops: given,
  clock = systemClock,
}: DemoOptions): Promise<boolean> => {
  const output = createPacedOutput({ write, clock, paceMs, signal })
  const printer = createPrinter(clock, output.write)
  const sentenceOf = createSentences()
  const start = clock.now()
  const rows: { readonly title: string; readonly ms: number; readonly problem?: string }[] = []

  // Before the first line: loading cannot be cut short, and who goes then is not to be waited for.
  const [present, clouds] = await Promise.all([findFunctions(), simulatedClouds(providers, demoScale)])
  printer.line(
    colors.bold(
      `\nStarting a seed on this machine: API server, bridge, broker, functions and ${titlesOf(providers)}.\n`,
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
    const stage: Stage = {
      ...sandbox,
      functions: present,
      kill: functions.kill,
      tell: printer.sentence,
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
  printer.line(colors.bold('\nHow it went\n'))
  for (const { title, ms, problem } of rows) {
    const mark = problem === undefined ? colors.green('ok  ') : colors.red('off ')
    printer.line(
      `  ${mark} ${seconds(ms)}  ${title}${problem === undefined ? '' : `: ${colors.red(problem)}`}`,
    )
  }
  printer.line(`\n  ${seconds(end - start)}  in all. Now try it yourself: ${commandName()} dev\n`)
  await output.shown(0)
  return rows.every(({ problem }) => problem === undefined)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2).padStart(6)} s`

/** The environment of a function's process: those of the demo's settings that it has. */
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
