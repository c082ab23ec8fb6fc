import type { State } from '../../engine/engine.ts'

/** The keys of what stands in the state by zone (docs/contract/provider-aws.md#state). */
export type ZoneKey =
  | 'Suffix'
  | 'SubnetWorkers'
  | 'SubnetPublicUtility'
  | 'SubnetPrivateUtility'
  | 'NATGatewayElasticIP'
  | 'NATGateway'
  | 'ZoneRouteTable'
  | 'SubnetPublicRouteTableAssoc'
  | 'SubnetPrivateRouteTableAssoc'
  | 'SubnetWorkersRouteTableAssoc'

export const zoneKey = (zone: string, key: ZoneKey): string => `Zones/${zone}/${key}`

/** Whether a key of the state is one of these, in any zone. */
export const isZoneKey = (stateKey: string, ...keys: readonly ZoneKey[]): boolean =>
  stateKey.startsWith('Zones/') && keys.some(key => stateKey.endsWith(`/${key}`))

/** The values that the state has under keys that fulfil a condition. */
export const idsInState = (
  state: Readonly<Record<string, string>>,
  isKey: (stateKey: string) => boolean,
): ReadonlySet<string> => new Set(Object.keys(state).flatMap(key => (isKey(key) ? (state[key] ?? []) : [])))

const suffixKey = (zone: string): string => zoneKey(zone, 'Suffix')

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
    const key = suffixKey(zone)
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
    suffixOf: (zone: string): string => suffixes[suffixKey(zone)] ?? '',
  }
}

/** Whether something has been made for a zone before. */
export const hasSuffix = (state: State, zone: string): boolean => state[suffixKey(zone)] !== undefined
