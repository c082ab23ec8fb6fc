import type { State } from '../../../terraform-free-infra/engine/engine.ts'

const keyOf = (zone: string): string => `Zones/${zone}/Suffix`

/**
 * The suffixes (`z0`, `z1`, …) that stand in names of each zone's resources: those of the state, and for the others
 * the smallest number that is free, in the order given (docs/contract/provider-aws.md#zone-suffixes). They never
 * change.
 *
 * @returns state keys with suffixes, for these zones
 */
const assigned = (zones: readonly string[], state: State): Readonly<Record<string, string>> => {
  const suffixes: Record<string, string> = {}
  const taken = new Set(
    Object.entries(state).flatMap(([key, value]) => (/^Zones\/[^/]+\/Suffix$/.test(key) ? [value] : [])),
  )
  for (const zone of zones) {
    const key = keyOf(zone)
    const suffix = state[key] ?? suffixes[key] ?? free(taken)
    taken.add(suffix)
    suffixes[key] = suffix
  }
  return suffixes
}

const free = (taken: ReadonlySet<string>): string => {
  for (let number = 0; ; number++) if (!taken.has(`z${number}`)) return `z${number}`
}

/** The state with a suffix for each zone, and the suffix of one of them. */
export const withSuffixes = (zones: readonly string[], state: State) => {
  const suffixes = assigned(zones, state)
  return {
    state: { ...state, ...suffixes },
    suffixOf: (zone: string): string => suffixes[keyOf(zone)] ?? '',
  }
}

/** Whether something has been made for a zone before. */
export const hasSuffix = (state: State, zone: string): boolean => state[keyOf(zone)] !== undefined
