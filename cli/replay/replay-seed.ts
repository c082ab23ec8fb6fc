import type { Provider } from '../../sandbox/providers/provider.ts'
import { planLines, runSeed } from '../../sandbox/simulation/random/random.ts'
import { loadSimulatedCode } from '../../sandbox/simulation/simulation.ts'

export interface ReplaySeedOptions {
  readonly providers: readonly Provider[]
  /** True if each line of the trace is written. */
  readonly trace: boolean
  readonly write: (text: string) => void
}

/**
 * Repeats the run of a seed. Writes its plan, each broken promise with the end of the trace, and the hash of the trace.
 * Returns true if no promise is broken.
 */
export const replaySeed = async (
  seed: string,
  { providers, trace, write }: ReplaySeedOptions,
): Promise<boolean> => {
  const print = (line: string): void => write(`${line}\n`)
  const clouds = await Promise.all(providers.flatMap(({ simulation }) => (simulation ? [simulation()] : [])))
  const code = await loadSimulatedCode()
  const result = await runSeed(seed, { code, clouds, ...(trace && { onLine: print }) })
  const { plan, broken, hash, virtualMs } = result
  print(`seed ${seed}`)
  for (const line of planLines(plan)) print(`  ${line}`)
  if (broken.length > 0 && !trace) for (const line of result.trace.slice(-shownLines)) print(`    ${line}`)
  for (const sentence of broken) print(`broken: ${sentence}`)
  print(
    `${broken.length === 0 ? 'no promise is broken' : `${broken.length} promises are broken`} in ${(virtualMs / 3_600_000).toFixed(1)} virtual hours; trace ${hash.slice(0, 16)}`,
  )
  return broken.length === 0
}

/** Lines of the trace before a failure. */
const shownLines = 40
