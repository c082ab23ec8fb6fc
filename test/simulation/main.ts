/** `make simulate`: runs the sets of the simulation in parallel for as long as asked. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createTally, tallyTable } from './runner/tally.ts'
import type { WorkerMessage, WorkerOrder } from './runner/worker-messages.ts'
import { type SetName, setNames } from './sets.ts'
import type { SimulationFailure } from './simulation-set.ts'

interface Flags {
  readonly for: number
  readonly seed?: string
  readonly set?: readonly SetName[]
  readonly function?: readonly string[]
  readonly job?: string
  readonly jobs: number
  readonly stopAtFirst?: boolean
}

const positive = (text: string): number => {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('expected a number above 0')
  return value
}
const more = <T>(value: T, before: readonly T[] = []): readonly T[] => [...before, value]

const command = new Command('simulate')
  .description(
    'Run scenarios with crashes, losses and stale reads through the whole path, on a virtual clock.',
  )
  .option('--for <seconds>', 'stop after this time', positive, 60)
  .option('--seed <seed>', 'of the scenarios at random (default: another one each time)')
  .addOption(
    new Option('--set <name>', `only this set; repeatable: ${setNames.join(', ')}`).argParser<
      readonly SetName[]
    >((text, before) => {
      if (!setNames.some(name => name === text))
        throw new InvalidArgumentError(`expected one of ${setNames.join(', ')}`)
      return more(text as SetName, before)
    }),
  )
  .option('--function <name>', 'only scenarios in which this function works; repeatable', more<string>)
  .option('--job <text>', 'only jobs whose id contains this text, as printed with a failure')
  .option('--jobs <processes>', 'number of processes', positive, availableParallelism())
  .option('--stop-at-first', 'end with the first failure')

/** The young generation holds a whole run. The default size copies most objects of a run twice. */
const execArgv = [...process.execArgv, '--max-semi-space-size=64']

/** The time that a started job has to end, in ms. */
const graceMs = 60_000

const run = async (flags: Flags): Promise<boolean> => {
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
  console.log(`seed ${seed}`)

  const children = Array.from({ length: flags.jobs }, (_, index) => {
    const child = fork(new URL('./runner/worker.ts', import.meta.url), { execArgv })
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
          for (const failure of message.result.failures) print(id, failure)
        }
        if (message.kind === 'broke') {
          broken.push(id)
          console.log(`\n${id}: the simulation itself failed\n${message.error}`)
        }
        if (flags.stopAtFirst && (tally.failures.length > 0 || broken.length > 0)) endAll()
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (current === undefined || (flags.stopAtFirst && tally.failures.length > 0)) return
      broken.push(current)
      console.log(`\n${current}: its process ended with ${signal ?? code} before the job did`)
    }),
  )
  clearTimeout(limit)
  clearInterval(printing)
  progress()
  console.log(`\n${tallyTable(tally)}\n`)
  const minutes = (performance.now() - began) / 60_000
  const { runs, virtualMs, intermediate, stale, unobserved } = tally.total()
  console.log(
    `${minutes.toFixed(1)} minutes: ${(runs / minutes).toFixed(0)} runs, ${((intermediate + stale + unobserved) / minutes).toFixed(0)} points and ${(virtualMs / 3_600_000 / minutes).toFixed(0)} virtual hours per minute`,
  )
  return tally.failures.length === 0 && broken.length === 0
}

const print = (id: string, { what, broken, trace }: SimulationFailure): void => {
  console.log(`\nFAILED ${id}`)
  if (!id.endsWith(what)) console.log(`  ${what}`)
  for (const sentence of broken) console.log(`  - ${sentence}`)
  if (trace.length > 0) console.log(trace.map(line => `    ${line}`).join('\n'))
}

await command.parseAsync()
process.exitCode = (await run(command.opts<Flags>())) ? 0 : 1
