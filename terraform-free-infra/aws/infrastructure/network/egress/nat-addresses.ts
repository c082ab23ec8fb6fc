import type { NatGateway, NatGatewayAddress } from '@aws-sdk/client-ec2'
import type { State } from '../../../../engine/engine.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState, isZoneKey } from '../../state.ts'

export const isAddressKey = (key: string): boolean => isZoneKey(key, 'NATGatewayElasticIP')

/**
 * Returns the addresses that the user provides, in any zone. An address that was created here and is now set in the
 * config belongs to the user.
 */
export const givenAddresses = ({ zones }: Pick<DesiredInfrastructure, 'zones'>): ReadonlySet<string> =>
  new Set(zones.kind === 'managed' ? zones.zones.flatMap(({ elasticIp }) => elasticIp ?? []) : [])

/** Returns the addresses that were created or given for gateways. */
export const knownAddresses = (
  desired: Pick<DesiredInfrastructure, 'zones'>,
  state: State,
): ReadonlySet<string> => new Set([...idsInState(state, isAddressKey), ...givenAddresses(desired)])

const byId = (one: NatGatewayAddress, other: NatGatewayAddress): number =>
  (one.AllocationId ?? '') < (other.AllocationId ?? '') ? -1 : 1

/**
 * Returns the addresses of a gateway, the one with which it was created first. A user may add secondary addresses, and
 * AWS documents no order. If no address is marked as primary, the known one is.
 */
const inOrder = (
  { NatGatewayAddresses = [] }: NatGateway,
  known: ReadonlySet<string>,
): readonly NatGatewayAddress[] => {
  const rank = ({ IsPrimary, AllocationId = '' }: NatGatewayAddress): number =>
    IsPrimary === true ? 0 : IsPrimary === false ? 3 : known.has(AllocationId) ? 1 : 2
  return NatGatewayAddresses.toSorted((one, other) => rank(one) - rank(other) || byId(one, other))
}

/** Returns the address with which a gateway was created, and which it has until its deletion. */
export const primaryAddress = (
  gateway: NatGateway,
  known: ReadonlySet<string>,
): NatGatewayAddress | undefined => inOrder(gateway, known)[0]

/**
 * Returns the public addresses from which traffic of a gateway comes, the primary one first. Includes those that a user
 * has added, also while their connections drain.
 */
export const publicIpsOf = (gateway: NatGateway, known: ReadonlySet<string>): readonly string[] =>
  inOrder(gateway, known).flatMap(({ PublicIp, Status }) => (Status === 'failed' ? [] : (PublicIp ?? [])))

export const allocationsOf = (gateways: readonly NatGateway[]): readonly string[] =>
  gateways.flatMap(({ NatGatewayAddresses = [] }) =>
    NatGatewayAddresses.flatMap(({ AllocationId }) => AllocationId ?? []),
  )
