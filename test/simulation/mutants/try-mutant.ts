import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Invariant, invariants } from '../../../sandbox/simulation/simulation.ts'
import { mutateSources, root } from './mutated-sources.ts'
import type { Mutant } from './read-mutants.ts'

/**
 * - `found`: a scenario fails. `by`: its report, `invariants`: those that it breaks. None: a course with its own check.
 * - `missed`: all scenarios pass within the time.
 * - `broken`: the patch does not apply, or the program ends without a result.
 */
export type MutantResult = {
  readonly mutant: Mutant
  readonly tookMs: number
} & (
  | { readonly kind: 'found'; readonly by: string; readonly invariants: readonly Invariant[] }
  | { readonly kind: 'missed' }
  | { readonly kind: 'broken'; readonly why: string }
)

interface TryOptions {
  /** Time for all scenarios of a mutant, in ms. */
  readonly limitMs: number
  /** Ends the running program. */
  readonly signal: AbortSignal
  /** Runs only these sets. Default: the scenario of the mutant, then its sets. */
  readonly sets?: readonly string[] | undefined
}

/** Runs the scenario that was written for a mutant, if there is one, then the other sets, until one fails. */
export const tryMutant = async (
  mutant: Mutant,
  { limitMs, signal, sets }: TryOptions,
): Promise<MutantResult> => {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const stages = [
    ...(sets === undefined && mutant.scenario !== undefined
      ? [['--set', 'histories', '--job', mutant.scenario]]
      : []),
    ...(sets ?? mutant.sets).map(set => ['--set', set]),
  ]
  try {
    const sources = await mutateSources(mutant)
    try {
      for (const [index, stage] of stages.entries()) {
        // One job ends by itself. Whole sets share the rest of the time.
        const share = stage.includes('--job') ? 1 : stages.length - index
        const leftMs = (limitMs - took()) / share
        const run = await simulate({
          mutant,
          stage,
          environment: sources.environment,
          limitMs: leftMs,
          signal,
        })
        const [, by] = /^FAILED (.+)$/m.exec(run.output) ?? []
        if (by !== undefined)
          return { kind: 'found', by, invariants: brokenIn(run.output), mutant, tookMs: took() }
        if (run.code !== 0 && run.code !== 'time is over')
          return {
            kind: 'broken',
            why: `${stage.join(' ')}: exit code ${run.code}: ${run.output}`,
            mutant,
            tookMs: took(),
          }
      }
      return { kind: 'missed', mutant, tookMs: took() }
    } finally {
      sources.remove()
    }
  } catch (error) {
    return { kind: 'broken', why: String(error), mutant, tookMs: took() }
  }
}

/** Returns the invariants that the first failure of an output names. */
const brokenIn = (output: string): readonly Invariant[] => {
  const [, failure = ''] = output.split(/^FAILED /m)
  const names = Object.keys(invariants) as Invariant[]
  return names.filter(name => failure.includes(`\n  - ${name}: `))
}

interface Simulation {
  readonly mutant: Mutant
  readonly stage: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly limitMs: number
  readonly signal: AbortSignal
}

interface SimulationEnd {
  readonly code: number | 'time is over' | null
  readonly output: string
}

const program = join(root, 'test/simulation/main.ts')

/**
 * The program gets this many ms beyond its own limit to report. It looks for a smaller plan of a failed life for 20 s.
 */
const graceMs = 25_000

const simulate = ({ mutant, stage, environment, limitMs, signal }: Simulation): Promise<SimulationEnd> => {
  const seconds = String(Math.max(1, Math.floor(limitMs / 1000)))
  const child: ChildProcess = spawn(
    process.execPath,
    [
      program,
      ...[...stage, '--for', seconds, '--jobs', '1', '--stop-at-first'],
      ...mutant.functions.flatMap(name => ['--function', name]),
    ],
    // A group of its own, so that its workers end with it.
    { cwd: root, env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const { promise, resolve, reject } = Promise.withResolvers<SimulationEnd>()
  let output = ''
  let isLate = false
  const end = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL')
  }
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, limitMs + graceMs)
  signal.addEventListener('abort', end, { once: true })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      output += part.toString()
    })
  child.once('error', reject)
  child.once('close', code => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    resolve({ code: isLate ? 'time is over' : code, output })
  })
  return promise
}
