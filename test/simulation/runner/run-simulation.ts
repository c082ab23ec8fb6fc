import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type SetName, setNames } from '../sets.ts'
import type { SimulationFailure } from '../simulation-set.ts'
import { createTally, type Tally } from './tally.ts'
import type { WorkerMessage, WorkerOrder } from './worker-messages.ts'

export interface SimulationFlags {
  /** No job begins after this time, in seconds. */
  readonly for: number
  /** The seed of the random scenarios. Default: another one each time. */
  readonly seed?: string
  /** Default: all. */
  readonly set?: readonly SetName[]
  /** Only scenarios in which one of these functions works. */
  readonly function?: readonly string[]
  /** Only jobs whose id contains this text. */
  readonly job?: string
  /** Number of processes. */
  readonly jobs: number
  readonly stopAtFirst?: boolean
}

export interface SimulationOutcome {
  readonly tally: Tally
  /** The jobs that a bug of the simulation itself ended. */
  readonly broken: readonly string[]
  readonly minutes: number
}

/**
 * Arguments for processes of simulations. The young generation holds a whole run. The default size copies most objects
 * of a run twice. Stacks of expected errors take an eighth of the time: `node --stack-trace-limit=10
 * test/simulation/main.ts` shows them.
 */
const simulationArguments = [
  '--max-semi-space-size=64',
  '--stack-trace-limit=0',
  ...process.execArgv,
] as const

/** The time that a started job has to end, in ms. */
const graceMs = 60_000

/** Runs the jobs of sets in several processes. Prints its seed, its progress, and each failure. */
export const runSimulation = async (
  flags: SimulationFlags,
  write: (text: string) => void = console.log,
): Promise<SimulationOutcome> => {
  const seed = flags.seed ?? String(Math.floor(Math.random() * 1e9))
  const tally = createTally()
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1_000)
  const isTerminal = process.stderr.isTTY === true
  const progress = () => {
    const { runs, failures, virtualMs } = tally.total()
    const text = `${seconds()} s: ${runs} runs, ${(virtualMs / 3_600_000).toFixed(0)} virtual hours, ${failures} failures`
    process.stderr.write(isTerminal ? `\r${text} ` : `${text}\n`)
  }
  const printing = setInterval(progress, isTerminal ? 1_000 : 15_000)
  const broken: string[] = []
  write(`seed ${seed}`)

  const children = Array.from({ length: flags.jobs }, (_, index) => {
    const child = fork(new URL('./worker.ts', import.meta.url), { execArgv: [...simulationArguments] })
    const order: WorkerOrder = {
      sets: flags.set ?? setNames,
      seed,
      functions: flags.function,
      job: flags.job,
      index,
      processes: flags.jobs,
      seconds: flags.for,
    }
    child.send(order)
    return child
  })
  const endAll = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  const limit = setTimeout(endAll, flags.for * 1_000 + graceMs)
  process.once('SIGINT', endAll)
  await Promise.all(
    children.map(async child => {
      /** The job in progress. */
      let current: string | undefined
      child.on('message', (message: WorkerMessage) => {
        const id = `${message.set}: ${message.id}`
        current = message.kind === 'began' ? id : undefined
        if (message.kind === 'ended') {
          tally.add(message.set, message.result)
          for (const failure of message.result.failures) write(failureText(id, failure))
        }
        if (message.kind === 'broke') {
          broken.push(id)
          write(`\n${id}: the simulation itself failed\n${message.error}`)
        }
        if (flags.stopAtFirst && (tally.failures.length > 0 || broken.length > 0)) endAll()
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (current === undefined || (flags.stopAtFirst && tally.failures.length > 0)) return
      broken.push(current)
      write(`\n${current}: its process ended with ${signal ?? code} before the job did`)
    }),
  )
  clearTimeout(limit)
  clearInterval(printing)
  progress()
  return { tally, broken, minutes: (performance.now() - began) / 60_000 }
}

const failureText = (id: string, { what, broken, trace }: SimulationFailure): string =>
  [
    `\nFAILED ${id}`,
    ...(id.endsWith(what) ? [] : [`  ${what}`]),
    ...broken.map(sentence => `  - ${sentence}`),
    ...trace.map(line => `    ${line}`),
  ].join('\n')
