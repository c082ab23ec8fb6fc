import { DescribeAddressesCommand, DescribeNatGatewaysCommand } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/contract/problems.ts'
import { allPages } from '../all-pages.ts'
import { zonePath } from '../config/zone-rules.ts'
import { clusterTag } from '../tags.ts'
import type { AccountInput } from './account-problems.ts'

/** The user's addresses: there, and free or in use by a NAT gateway of the shoot (contract, provider-aws §2.3). */
export const addressProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { cloud, signal, config } = input
  const wanted = config.networks.zones.flatMap(({ elasticIPAllocationID: id }, index) =>
    id === undefined ? [] : [{ id, path: zonePath(index, 'elasticIPAllocationID') }],
  )
  if (wanted.length === 0) return []
  const filter = { Name: 'allocation-id', Values: wanted.map(({ id }) => id) }
  const { Addresses = [] } = await cloud.ec2.send(new DescribeAddressesCommand({ Filters: [filter] }), {
    abortSignal: signal,
  })
  const found = new Map(Addresses.map(address => [address.AllocationId, address]))
  const inUse = Addresses.some(({ AssociationId }) => AssociationId !== undefined)
  const ours = inUse ? await allocationsOfNatGateways(input) : new Set()
  return wanted.flatMap(({ id, path }) => {
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
            message: `expected an elastic IP address that is free, found ${id}, which is associated already, and not with a NAT gateway of this shoot`,
          },
        ]
  })
}

const allocationsOfNatGateways = async (input: AccountInput): Promise<ReadonlySet<string>> => {
  const { cloud, signal } = input
  const filter = { Name: 'tag-key', Values: [clusterTag(input)] }
  const gateways = await allPages(async token => {
    const { NatGateways, NextToken } = await cloud.ec2.send(
      new DescribeNatGatewaysCommand({ Filter: [filter], ...(token && { NextToken: token }) }),
      { abortSignal: signal },
    )
    return { items: NatGateways, next: NextToken }
  })
  return new Set(
    gateways.flatMap(({ NatGatewayAddresses = [] }) =>
      NatGatewayAddresses.flatMap(({ AllocationId }) => AllocationId ?? []),
    ),
  )
}
