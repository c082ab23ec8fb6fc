import type { Sentence } from '../narration/sentence.ts'
import type { Seed, SeedFunction } from '../seed/seed.ts'

/** The environment of a stop of the tour. */
export interface Stage extends Seed {
  readonly functions: readonly SeedFunction[]
  /** Kills the process of a function, as in a crash, and returns its id. */
  readonly kill: (name: string) => number | undefined
  /** Prints a line among those of the seed. */
  readonly print: (sentence: Sentence) => void
  /** Shows another seed on a page, and prints its address. */
  readonly show: (name: string, seed: Pick<Seed, 'kubernetes' | 'bridgeUrl'>) => Promise<void>
  /** Registers a cleanup for the end of the demo, for resources that later stops use. */
  readonly atEnd: (close: () => Promise<void>) => void
}

/** One stop of the tour: its title, the command that a user would type, and its check. */
export interface Stop {
  readonly title: string
  readonly typed: string
  /** Runs and checks the stop. Returns the text to show; throws if a check fails. */
  readonly run: (stage: Stage, signal: AbortSignal) => Promise<string>
}

export interface TourPart {
  /** Stops that use the functions of the sandbox, which have scaled to zero when `afterwards` starts. */
  readonly inSandbox: readonly Stop[]
  /** Stops with separate seeds. */
  readonly afterwards?: readonly Stop[]
}

/** Throws an error with `what` if `truth` is false. */
export const expect = (truth: boolean, what: string): void => {
  if (!truth) throw new Error(what)
}
