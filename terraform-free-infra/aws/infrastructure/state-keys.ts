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
