import type { Sentence } from '../narration/sentence.ts'
import type { Seed, SeedFunction } from '../seed/seed.ts'

/** What a stop of the tour works with. */
export interface Stage extends Seed {
  readonly functions: readonly SeedFunction[]
  /** Kills the process of a function, as a crash would, and gives its id. */
  readonly kill: (name: string) => number | undefined
  /** Puts a line among those of what happens. */
  readonly tell: (sentence: Sentence) => void
  /** Closes with the demo, however that ends, what a stop has started for those after it. */
  readonly atEnd: (close: () => Promise<void>) => void
}

/** One stop of the tour: what it shows, what a user would type, and what must be true afterwards. */
export interface Stop {
  readonly title: string
  readonly typed: string
  /** Does it and checks it. What it returns is shown; it throws when anything is off. */
  readonly run: (stage: Stage, signal: AbortSignal) => Promise<string>
}

/** What the tour shows of a provider. */
export interface TourPart {
  /** With the functions of the sandbox, which have scaled to zero when what comes afterwards begins. */
  readonly inSandbox: readonly Stop[]
  /** With seeds of their own. */
  readonly afterwards?: readonly Stop[]
}

/** Throws what is off. */
export const expect = (truth: boolean, what: string): void => {
  if (!truth) throw new Error(what)
}
