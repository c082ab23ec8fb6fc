import type { CloudSide, CreateCloudSide, SimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { type SimulationOptions, simulate } from '../../../sandbox/simulation/simulation.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { createHistoryFaults, createLife, type Life } from './life.ts'

/** One course of events with chosen faults, and what must hold at its end. */
export interface History {
  /** `a deletion after a crash leaks no record`. */
  readonly name: string
  /** The class of its points (Sieve, OSDI'22). Undefined: it has none. */
  readonly points?: 'intermediate' | 'stale' | 'unobserved'
  readonly functions: readonly string[]
  readonly kinds: readonly string[]
  /** Selects sentences about invariants that do not apply, because a person gave the object what it changes. */
  readonly except?: RegExp
  readonly run: (code: SimulatedCode) => Promise<HistoryResult>
}

export interface HistoryResult {
  readonly virtualMs: number
  /** Each broken promise in a sentence: that of the course, then those of the invariants. */
  readonly broken: readonly string[]
}

export interface HistoryOptions<C extends CloudSide> extends Omit<History, 'run'> {
  readonly cloud: (options: Parameters<CreateCloudSide>[0]) => C
  readonly ofSeeds?: SimulationOptions<C>['ofSeeds']
  readonly course: (life: Life<C>) => Promise<void>
}

export const history = <C extends CloudSide>({
  cloud,
  ofSeeds,
  course,
  ...about
}: HistoryOptions<C>): History => ({
  ...about,
  run: async code => {
    const faults = createHistoryFaults()
    return simulate(
      {
        seed: about.name,
        code,
        cloud,
        delivery: 'in-memory',
        fates: faults.fates,
        trace: { retained: 0 },
        ...(ofSeeds && { ofSeeds }),
      },
      async world => {
        const began = world.clock.now()
        const own = await course(createLife(world, faults.add)).then(
          () => [],
          error => [messageOf(error)],
        )
        const broken = world.broken().filter(sentence => !about.except?.test(sentence))
        return { virtualMs: world.clock.now() - began, broken: [...own, ...broken] }
      },
    )
  },
})

/** Throws a sentence about a broken promise. */
export const mustHold = (holds: boolean, sentence: string): void => {
  if (!holds) throw new Error(sentence)
}
