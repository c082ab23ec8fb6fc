import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { mutateSources, root } from './mutated-sources.ts'
import type { Mutant } from './read-mutants.ts'

/**
 * - `found`: a scenario fails. `by`: its report.
 * - `missed`: all scenarios pass within the time.
 * - `broken`: the patch does not apply, or the program ends without a result.
 */
export type MutantResult = {
  readonly mutant: Mutant
  readonly tookMs: number
} & (
  | { readonly kind: 'found'; readonly by: string }
  | { readonly kind: 'missed' }
  | { readonly kind: 'broken'; readonly why: string }
)

interface TryOptions {
  /** Time for all scenarios of a mutant, in ms. */
  readonly limitMs: number
  /** Ends the running program. */
  readonly signal: AbortSignal
  /** Runs only these sets. Default: those of the mutant. */
  readonly sets?: readonly string[] | undefined
}

/** Runs the scenarios of a mutant, set by set, until one fails. */
export const tryMutant = async (
  mutant: Mutant,
  { limitMs, signal, sets = mutant.sets }: TryOptions,
): Promise<MutantResult> => {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const sources = await mutateSources(mutant)
    try {
      for (const [index, set] of sets.entries()) {
        const leftMs = (limitMs - took()) / (sets.length - index)
        const run = await simulate({ mutant, set, environment: sources.environment, limitMs: leftMs, signal })
        const [, by] = /^FAILED (.+)$/m.exec(run.output) ?? []
        if (by !== undefined) return { kind: 'found', by, mutant, tookMs: took() }
        if (run.code !== 0 && run.code !== 'time is over')
          return {
            kind: 'broken',
            why: `${set}: exit code ${run.code}: ${run.output}`,
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

interface Simulation {
  readonly mutant: Mutant
  readonly set: string
  readonly environment: NodeJS.ProcessEnv
  readonly limitMs: number
  readonly signal: AbortSignal
}

interface SimulationEnd {
  readonly code: number | 'time is over' | null
  readonly output: string
}

const program = join(root, 'test/simulation/main.ts')

/** The program gets this many ms beyond its own limit to report. */
const graceMs = 5_000

const simulate = ({ mutant, set, environment, limitMs, signal }: Simulation): Promise<SimulationEnd> => {
  const seconds = String(Math.max(1, Math.floor(limitMs / 1000)))
  const child: ChildProcess = spawn(
    process.execPath,
    [
      program,
      ...['--set', set, '--for', seconds, '--jobs', '1', '--stop-at-first'],
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
