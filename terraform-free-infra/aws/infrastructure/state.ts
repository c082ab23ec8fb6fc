import { infrastructureStates } from '../../cloud/infrastructure-state.ts'
import type { State } from '../../engine/engine.ts'
import { apiVersion } from './config/config.ts'

export { createdForKey, isNothingMade } from '../../cloud/infrastructure-state.ts'

/** The value that earlier releases of the Go extension wrote for a removed key. */
const deleted = '<deleted>'

/** The format of `status.state` (docs/contract/provider-aws.md#state). */
export const { stateCodec, statePatch } = infrastructureStates(
  'aws',
  apiVersion,
  (_, value) => value === deleted,
)

/** The key of the id of the infrastructure's AWS account. The Go extension ignores it. */
const accountKey = 'AccountID'

/** Returns the account of a state: the recorded one, or that of the role, which the Go extension records, too. */
export const accountOf = (state: State): string | undefined =>
  state[accountKey] ?? /^arn:[^:]*:iam::(\d{12}):/.exec(state.IAMRoleARN ?? '')?.[1]

export const withAccount = (state: State, account: string | undefined): State =>
  account === undefined ? state : { ...state, [accountKey]: account }

/** The keys of zone entries in the state (docs/contract/provider-aws.md#state). */
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

/** Returns true if the state key is one of these, in any zone. */
export const isZoneKey = (stateKey: string, ...keys: readonly ZoneKey[]): boolean =>
  stateKey.startsWith('Zones/') && keys.some(key => stateKey.endsWith(`/${key}`))

/** Returns the values of the state with a matching key. */
export const idsInState = (
  state: Readonly<Record<string, string>>,
  isKey: (stateKey: string) => boolean,
): ReadonlySet<string> => new Set(Object.keys(state).flatMap(key => (isKey(key) ? (state[key] ?? []) : [])))

const suffixKey = (zone: string): string => zoneKey(zone, 'Suffix')

/**
 * Assigns the suffixes (`z0`, `z1`, …) in the names of each zone's resources: those of the state, and for other zones
 * the lowest free number, in the given order (docs/contract/provider-aws.md#zone-suffixes). They never change.
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

/** Returns the state with a suffix for each zone, and a function for the suffix of one zone. */
export const withSuffixes = (zones: readonly string[], state: State) => {
  const suffixes = assigned(zones, state)
  return {
    state: { ...state, ...suffixes },
    suffixOf: (zone: string): string => suffixes[suffixKey(zone)] ?? '',
  }
}

/** Returns true if a zone had resources before. */
export const hasSuffix = (state: State, zone: string): boolean => state[suffixKey(zone)] !== undefined
