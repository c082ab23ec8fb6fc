import {
  createGardenlet,
  type Gardenlet,
  type Landscape,
  type SeedFacts,
} from '../../../sandbox/gardenlet/gardenlet.ts'
import {
  createProcess,
  type Fates,
  processTransport,
  type SimulatedProcess,
  type World,
  type WorldSeed,
} from '../../../sandbox/simulation/simulation.ts'
import type { Clock } from '../../../shared/clock/clock.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../shared/text/message-of.ts'

export interface RepeatedGardenletOptions {
  readonly seed: WorldSeed
  readonly facts: SeedFacts
  readonly landscape: Landscape
  readonly clock: Clock
  readonly fates: Fates
  /** If true, the phase is not repeated. */
  readonly isGivenUp: () => boolean
  readonly trace: World['trace']
}

/** Runs a phase in processes of gardenlet until one of them finishes it. */
export type RepeatedGardenlet = <T>(phase: string, act: (gardenlet: Gardenlet) => Promise<T>) => Promise<T>

/** A run of a phase that takes longer fails, as gardenlet's waits do, in ms. */
const runMs = 30 * 60_000
/** Pause after a failure, in ms. */
const pauseMs = 15_000
const mostRuns = 6

/** A gardenlet that starts a phase again if its process has ended or a request has failed. */
export const repeatedGardenlet = (options: RepeatedGardenletOptions): RepeatedGardenlet => {
  const { seed, facts, landscape, clock, fates, isGivenUp, trace } = options
  let number = 0
  const run = async <T>(
    process: SimulatedProcess,
    act: (gardenlet: Gardenlet) => Promise<T>,
  ): Promise<{ readonly result: T } | { readonly problem: string }> => {
    const late = new AbortController()
    const cancel = clock.after(runMs, () => late.abort(new Error(`the phase takes more than ${runMs} ms`)))
    const kubernetes = createKubernetes({
      transport: processTransport(process, seed.server.controllerTransport),
      clock: process.clock,
    })
    const gardenlet = createGardenlet({
      kubernetes,
      seed: facts,
      landscape,
      clock: process.clock,
      signal: late.signal,
      pollMs: 1_000,
    })
    const ended = process.ended.then(() => ({ problem: 'gardenlet has ended' }))
    try {
      return await Promise.race([act(gardenlet).then(result => ({ result })), ended])
    } catch (error) {
      return { problem: messageOf(error) }
    } finally {
      cancel()
      process.kill()
    }
  }
  return async (phase, act) => {
    const problems: string[] = []
    for (let runs = 0; runs < mostRuns; runs++) {
      if (runs > 0) await clock.sleep(pauseMs)
      const name = `${seed.name}/gardenlet-${++number}`
      const outcome = await run(createProcess({ name, clock, fates, trace }), act)
      if ('result' in outcome) return outcome.result
      if (isGivenUp()) throw new GivenUpError()
      trace.note(name, `${phase}: ${outcome.problem}`)
      problems.push(outcome.problem)
    }
    throw new Error(`gardenlet cannot finish ${phase}: ${problems.join('; ')}`)
  }
}

/** The garden has other plans for the shoot. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}
