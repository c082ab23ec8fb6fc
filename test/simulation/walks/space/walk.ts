import fc from 'fast-check'
import { mixed } from './mixed.ts'
import type { Configuration, LoadedSpace } from './walk-space.ts'

/** A stop of a walk: a configuration, and a trouble around it. */
export interface Stop {
  readonly configuration: Configuration
  readonly trouble?: string
}

export type Walk = readonly Stop[]

/** Walks make 5 to 8 changes. */
const fewest = 5
const most = 8

/** Returns the walk of a seed. Equal seeds give equal walks. */
export const walkOf = ({ shoots, troubles = {}, admission }: LoadedSpace, seed: number): Walk => {
  const [configurations] = fc.sample(shoots, { seed, numRuns: 1 })
  if (configurations === undefined) return []
  const change = fc.record({
    next: configurations,
    // Most changes are small, some are large.
    share: fc.constantFrom(0.1, 0.1, 0.3, 0.9),
    coins: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    // A refusal changes nothing, so few are enough.
    isTried: fc.constantFrom(true, false, false, false, false),
    trouble: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(undefined, ...Object.keys(troubles)) },
    ),
  })
  const length = fc.integer({ min: fewest, max: most })
  const walk = fc.tuple(
    configurations,
    length,
    fc.array(change, { minLength: 8 * most, maxLength: 8 * most }),
  )
  const [sample] = fc.sample(walk, { seed, numRuns: 1 })
  if (sample === undefined) return []
  const [first, count, steps] = sample
  const stops: Stop[] = [{ configuration: first }]
  // A user goes on from the last configuration that the garden accepted.
  let accepted = admission?.(undefined, first) === 'refused' ? undefined : first
  for (const { next, share, coins, isTried, trouble } of steps) {
    if (stops.length > count) break
    const takes = () => coins.next().value < share
    const after = mixed(accepted ?? first, next, takes) as Configuration
    const answer = admission?.(accepted, after)
    if (answer === 'impossible' || (answer === 'refused' && !isTried)) continue
    stops.push({ configuration: after, ...(trouble !== undefined && { trouble }) })
    if (answer !== 'refused') accepted = after
  }
  return stops
}
