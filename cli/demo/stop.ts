import type { Seed } from '../../sandbox/seed/seed.ts'

/** What a stop of the tour works with. */
export interface Stage extends Seed {
  /** The names of all functions. */
  readonly functionNames: readonly string[]
  /** Kills the process of a function, as a crash would, and gives its id. */
  readonly kill: (name: string) => number | undefined
  /** Puts a line among those of what happens. */
  readonly tell: (text: string) => void
}

/** One stop of the tour: what it shows, what a user would type, and what must be true afterwards. */
export interface Stop {
  readonly title: string
  readonly typed: string
  /** Does it and checks it. What it returns is shown; it throws when anything is off. */
  readonly run: (stage: Stage, signal: AbortSignal) => Promise<string>
}

/** Throws what is off. */
export const expect = (truth: boolean, what: string): void => {
  if (!truth) throw new Error(what)
}
