import { DescribeAddressesCommand, type NatGateway } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { zonePath } from '../config/problems/zone-problems.ts'
import { natGatewaysInState } from '../network/egress/nat-gateway.ts'
import { clusterTag, readTags } from '../tags.ts'
import type { AccountInput } from './account-input.ts'

/**
 * Returns the problems of the user's addresses. They must exist, and be free or in use by a NAT gateway of the shoot
 * (docs/contract/provider-aws.md#addresses-of-the-user). Addresses of a working gateway are not read.
 */
export const addressProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { cloud, signal, reads, read, state, config } = input
  const wanted = config.networks.zones.flatMap(({ elasticIPAllocationID: id }, index) =>
    id === undefined ? [] : [{ id, path: zonePath(index, 'elasticIPAllocationID') }],
  )
  if (wanted.length === 0) return []
  const known = natGatewaysInState(state)
  const gateways = (await read(reads.natGateways)).filter(
    ({ NatGatewayId = '', Tags }) =>
      known.has(NatGatewayId) || readTags(Tags)[clusterTag(input)] !== undefined,
  )
  const inUse = allocationsOf(gateways.filter(({ State }) => State === 'available'))
  const open = wanted.filter(({ id }) => !inUse.has(id))
  if (open.length === 0) return []
  const filter = { Name: 'allocation-id', Values: open.map(({ id }) => id) }
  const { Addresses = [] } = await cloud.ec2.send(new DescribeAddressesCommand({ Filters: [filter] }), {
    abortSignal: signal,
  })
  const found = new Map(Addresses.map(address => [address.AllocationId, address]))
  const ours = allocationsOf(gateways)
  return open.flatMap(({ id, path }) => {
    const address = found.get(id)
    if (address === undefined) {
      return [
        {
          path,
          message: `expected an elastic IP address of the account in ${cloud.region}, found no ${id} there`,
        },
      ]
    }
    return address.AssociationId === undefined || ours.has(id)
      ? []
      : [
          {
            path,
            message: `expected an unused elastic IP address, found ${id}, which is associated, but not with a NAT gateway of this shoot`,
          },
        ]
  })
}

const allocationsOf = (gateways: readonly NatGateway[]): ReadonlySet<string> =>
  new Set(
    gateways.flatMap(({ NatGatewayAddresses = [] }) =>
      NatGatewayAddresses.flatMap(({ AllocationId }) => AllocationId ?? []),
    ),
  )
