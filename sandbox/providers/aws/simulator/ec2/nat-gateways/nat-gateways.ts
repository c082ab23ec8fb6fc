import type {
  CreateNatGatewayRequest,
  CreateNatGatewayResult,
  DeleteNatGatewayRequest,
  DeleteNatGatewayResult,
  DescribeNatGatewaysRequest,
  DescribeNatGatewaysResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find, notFound } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { checkLimit } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import { heldByService } from '../network-interfaces/held-by-service.ts'
import { newInterface } from '../network-interfaces/new-interface.ts'
import type { GatewayFailure, NatGateway, Subnet } from '../rows/network.ts'
import { newTags } from '../tags/tag-rules.ts'
import { associateAddress, freeAddress } from './nat-addresses.ts'
import { natGatewayState } from './nat-state.ts'
import { natGatewayFields, natGatewayView } from './view.ts'

const requester = 'amazon-aws'

/**
 * Returns the failure of the gateway, if it will fail: by request, or because its VPC has no internet gateway (texts:
 * `NatGateway`, API reference).
 */
const failureOf = (ec2: Ec2, subnet: Subnet, isPublic: boolean): GatewayFailure | undefined => {
  const ordered = ec2.state.natGatewayFailures.shift()
  if (ordered) return ordered
  const { internetGateways } = ec2.tables
  if (!isPublic || internetGateways.by('attachment.vpc-id', subnet.vpcId).length > 0) return undefined
  return {
    code: 'Gateway.NotAttached',
    message: `Network ${subnet.vpcId} has no Internet gateway attached`,
  }
}

const checkZoneLimit = (ec2: Ec2, subnet: Subnet): void => {
  const { natGateways, subnets } = ec2.tables
  const inZone = natGateways
    .all()
    .filter(row => ['pending', 'available', 'deleting'].includes(natGatewayState(ec2, row)))
    .filter(({ subnetId }) => subnets.get(subnetId)?.zone === subnet.zone)
  checkLimit(inZone.length, ec2.limits.natGateways, () =>
    refuse(
      'NatGatewayLimitExceeded',
      `Performing this operation would exceed the limit of ${ec2.limits.natGateways} NAT gateways`,
    ),
  )
}

const create = (ec2: Ec2, input: CreateNatGatewayRequest): string => {
  const subnet = find(ec2, 'subnets', input.SubnetId)
  const tags = newTags(input.TagSpecifications, 'natgateway')
  const address = input.ConnectivityType === 'private' ? undefined : freeAddress(ec2, input.AllocationId)
  checkZoneLimit(ec2, subnet)
  const own = newInterface(ec2, {
    subnet,
    type: 'nat_gateway',
    ipv4: input.PrivateIpAddress === undefined ? undefined : [input.PrivateIpAddress],
    ipv6Count: 0,
    requester,
    sourceDestCheck: false,
    attachment: heldByService(ec2, requester),
  })
  const failure = failureOf(ec2, subnet, address !== undefined)
  const resource = ec2.newResource('nat', tags)
  // A NAT gateway's interface is in no security group ("NAT gateway basics").
  ec2.tables.networkInterfaces.put({
    ...own,
    groupIds: [],
    description: `Interface for NAT Gateway ${resource.id}`,
    goneAt: failure && ec2.now + ec2.durations.natGatewayFailed,
  })
  const primary = associateAddress(ec2, own, own.ipv4[0] ?? '', address)
  const row: NatGateway = {
    ...resource,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    connectivity: address ? 'public' : 'private',
    addresses: [primary],
    failure,
    // AWS removes a failed gateway after about an hour ("NAT gateway creation fails", VPC user guide).
    goneAt: failure && ec2.now + ec2.durations.natGatewayFailed + ec2.durations.natGatewayListed,
  }
  ec2.tables.natGateways.put(row)
  return row.id
}

export const natGatewayOperations = {
  CreateNatGateway: operation<CreateNatGatewayRequest, CreateNatGatewayResult>(
    {
      SubnetId: true,
      AllocationId: true,
      ConnectivityType: true,
      PrivateIpAddress: true,
      ClientToken: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      const { ids } = onceByToken(ec2, 'CreateNatGateway', input, () => [create(ec2, input)])
      const [id = ''] = ids
      const row = ec2.tables.natGateways.get(id)
      return {
        NatGateway: row ? natGatewayView(ec2, row) : { NatGatewayId: id, State: 'deleted' },
        ClientToken: input.ClientToken,
      }
    },
  ),
  DescribeNatGateways: operation<DescribeNatGatewaysRequest, DescribeNatGatewaysResult>(
    { NatGatewayIds: true, Filter: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'natGateways', natGatewayFields(ec2), {
        ...input,
        ids: input.NatGatewayIds,
        idsName: 'natGatewayIds',
        filters: input.Filter,
      })
      return { NatGateways: items.map(row => natGatewayView(ec2, row)), NextToken: next }
    },
  ),
  DeleteNatGateway: operation<DeleteNatGatewayRequest, DeleteNatGatewayResult>(
    { NatGatewayId: true },
    (input, ec2) => {
      const row = find(ec2, 'natGateways', input.NatGatewayId)
      const state = natGatewayState(ec2, row)
      if (state === 'deleted') throw notFound('natGateways', row.id)
      if (state === 'deleting') return { NatGatewayId: row.id }
      const { natGatewayDeleted, natGatewayListed } = ec2.durations
      const freeAt = ec2.now + natGatewayDeleted
      for (const { networkInterfaceId } of row.addresses) {
        const own = ec2.tables.networkInterfaces.get(networkInterfaceId)
        if (own) ec2.tables.networkInterfaces.put({ ...own, goneAt: freeAt })
      }
      ec2.tables.natGateways.put({ ...row, deletedAt: ec2.now, goneAt: freeAt + natGatewayListed })
      return { NatGatewayId: row.id }
    },
  ),
}
