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
const changes = { minLength: 5, maxLength: 8 }

/** Returns the walk of a seed. Equal seeds give equal walks. */
export const walkOf = ({ configurations, held = same, troubles = {} }: LoadedSpace, seed: number): Walk => {
  const trouble = fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, ...Object.keys(troubles)) },
  )
  const change = fc.record({
    next: configurations,
    // Most changes are small, some are large.
    share: fc.constantFrom(0.1, 0.1, 0.3, 0.9),
    coins: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    trouble,
  })
  const walk = fc.tuple(configurations, fc.array(change, { ...changes, size: 'max' }))
  const [sample] = fc.sample(walk, { seed, numRuns: 1 })
  if (sample === undefined) return []
  const [first, steps] = sample
  const stops: Stop[] = [{ configuration: held(first, first) }]
  let before = first
  for (const { next, share, coins, trouble: name } of steps) {
    const takes = () => coins.next().value < share
    const configuration = held(mixed(before, next, takes) as Configuration, first)
    stops.push({ configuration, ...(name !== undefined && { trouble: name }) })
    before = configuration
  }
  return stops
}

const same = (configuration: Configuration): Configuration => configuration
