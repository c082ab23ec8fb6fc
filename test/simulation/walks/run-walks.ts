import { messageOf } from '../../../shared/text/message-of.ts'
import { runWalk, type WalkResult } from './run-walk.ts'
import { shrunkWalk } from './shrunk-walk.ts'
import { type Walk, walkOf } from './space/walk.ts'
import type { LoadedSpace, WalkSpace } from './space/walk-space.ts'
import { walkText } from './walk-text.ts'

export interface WalksOptions {
  readonly spaces: readonly WalkSpace[]
  /** The seed of the first walk of each space. The next walks have the next numbers. */
  readonly seed: number
  /** The number of walks in each space. Default: until the time is over. */
  readonly count?: number
  /** The real time at which no further walk starts, in milliseconds since 1970. Default: none. */
  readonly untilMs?: number
  /** Stops at the first failure. Default: false. */
  readonly stopAtFirst?: boolean
  /** Called after each walk. */
  readonly onProgress?: (counts: WalkCounts) => void
}

/** The numbers of one space. */
export interface WalkCounts {
  readonly space: string
  readonly walks: number
  /** Stops that were visited, and how they ended. */
  readonly changes: number
  readonly succeeded: number
  readonly failures: readonly WalkFailure[]
}

export interface WalkFailure {
  readonly space: string
  readonly seed: number
  /** The shrunk walk and what differs, for readers. */
  readonly text: string
}

/** Goes walks in some spaces, in turns. Equal seeds give equal walks. */
export const runWalks = async ({
  spaces,
  seed,
  count = Number.POSITIVE_INFINITY,
  untilMs = Number.POSITIVE_INFINITY,
  stopAtFirst = false,
  onProgress = () => {},
}: WalksOptions): Promise<readonly WalkCounts[]> => {
  const all = await Promise.all(
    spaces.map(async space => ({ name: space.name, loaded: await space.load(), counts: noneOf(space.name) })),
  )
  for (let number = 0; number < count; number++)
    for (const one of all) {
      if (Date.now() >= untilMs) return all.map(({ counts }) => counts)
      const walk = walkOf(one.loaded, seed + number)
      const { stops, problems } = await triedWalk(one.loaded, one.name, walk)
      const { walks, changes, succeeded, failures } = one.counts
      const failed = problems.length === 0 ? [] : [await failureOf(one.loaded, one.name, seed + number, walk)]
      one.counts = {
        space: one.name,
        walks: walks + 1,
        changes: changes + stops.length - 1,
        succeeded: succeeded + stops.filter(end => end === 'succeeded').length,
        failures: [...failures, ...failed],
      }
      onProgress(one.counts)
      if (stopAtFirst && failed.length > 0) return all.map(({ counts }) => counts)
    }
  return all.map(({ counts }) => counts)
}

const noneOf = (space: string): WalkCounts => ({ space, walks: 0, changes: 0, succeeded: 0, failures: [] })

/** An error of a walk is a problem, too. */
const triedWalk = (space: LoadedSpace, name: string, walk: Walk): Promise<WalkResult> =>
  runWalk(space, name, walk).catch((error: unknown) => ({ stops: [], problems: [messageOf(error)] }))

const failureOf = async (
  space: LoadedSpace,
  name: string,
  seed: number,
  walk: Walk,
): Promise<WalkFailure> => {
  const fails = async (shorter: Walk) => (await triedWalk(space, name, shorter)).problems.length > 0
  const shrunk = await shrunkWalk(walk, fails)
  const { stops, problems } = await triedWalk(space, name, shrunk)
  const text = [
    `walk ${name}, seed ${seed}:`,
    walkText(shrunk, stops),
    ...problems.map(problem => `  ! ${problem}`),
  ].join('\n')
  return { space: name, seed, text }
}
