import { DescribeAddressesCommand, type NatGateway } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { zonePath } from '../config/problems/zone-problems.ts'
import { allocationsOf, knownAddresses, primaryAddress } from '../network/egress/nat-addresses.ts'
import { isNatGatewayChange, natGatewaysInState } from '../network/egress/nat-gateway.ts'
import { recentKeys } from '../recent-changes.ts'
import { zoneKey } from '../state.ts'
import { clusterTag, readTags } from '../tags.ts'
import type { AccountInput } from './account-input.ts'

/**
 * Returns the problems of the user's addresses. They must exist, and be free or in use by a NAT gateway of the shoot
 * (docs/contract/provider-aws.md#addresses-of-the-user). A secondary address stays in use until its gateway is
 * replaced, so only the gateway of the same zone may have it. Addresses of a working gateway are not read.
 */
export const addressProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { cloud, signal, reads, read, state, now, config } = input
  const wanted = config.networks.zones.flatMap(({ name, elasticIPAllocationID: id }, index) =>
    id === undefined ? [] : [{ id, path: zonePath(index, 'elasticIPAllocationID'), zone: name }],
  )
  if (wanted.length === 0) return []
  const known = natGatewaysInState(state)
  const gateways = (await read(reads.natGateways)).filter(
    ({ NatGatewayId = '', Tags }) =>
      known.has(NatGatewayId) || readTags(Tags)[clusterTag(input)] !== undefined,
  )
  const addresses = knownAddresses(input.desired, state)
  const primaryOf = (gateway: NatGateway) => primaryAddress(gateway, addresses)?.AllocationId
  const inUse = new Set(gateways.filter(({ State }) => State === 'available').map(primaryOf))
  const open = wanted.filter(({ id }) => !inUse.has(id))
  if (open.length === 0) return []
  const filter = { Name: 'allocation-id', Values: open.map(({ id }) => id) }
  const { Addresses = [] } = await cloud.ec2.send(new DescribeAddressesCommand({ Filters: [filter] }), {
    abortSignal: signal,
  })
  const found = new Map(Addresses.map(address => [address.AllocationId, address]))
  const primary = new Set(gateways.map(primaryOf))
  return open.flatMap(({ id, path, zone }) => {
    const address = found.get(id)
    if (address === undefined)
      return [
        {
          path,
          message: `expected an elastic IP address of the account in ${cloud.region}, found no ${id} there`,
        },
      ]
    if (address.AssociationId === undefined || primary.has(id)) return []
    const holder = gateways.find(gateway => allocationsOf([gateway]).includes(id))?.NatGatewayId
    if (holder !== undefined && holder === state[zoneKey(zone, 'NATGateway')]) return []
    // The gateway may be so new that no list shows it, or so recently deleted that its addresses are not free yet.
    if (recentKeys(state, now).some(isNatGatewayChange))
      throw new Error(
        `${id} is associated, and AWS may not show the last change of the shoot's NAT gateways yet. This is checked again`,
      )
    const message =
      holder === undefined
        ? `expected an unused elastic IP address, found ${id}, which is associated, but not with a NAT gateway of this shoot`
        : `expected an unused elastic IP address, found ${id}, which is a secondary address of ${holder}. Disassociate it there`
    return [{ path, message }]
  })
}
