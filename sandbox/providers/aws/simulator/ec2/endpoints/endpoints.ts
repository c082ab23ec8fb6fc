import type {
  CreateVpcEndpointRequest,
  CreateVpcEndpointResult,
  DeleteVpcEndpointsRequest,
  DeleteVpcEndpointsResult,
  DescribeVpcEndpointsRequest,
  DescribeVpcEndpointsResult,
  UnsuccessfulItem,
} from '@aws-sdk/client-ec2'
import { refuse, ServiceError } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { checkLimit, invalidParameter, missingParameter } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import { groupsFor } from '../network-interfaces/new-interface.ts'
import type { VpcEndpoint } from '../rows/network.ts'
import { newTags } from '../tags/tag-rules.ts'
import { endpointDeletionTime } from './endpoint-state.ts'
import {
  checkAddressType,
  checkPolicy,
  checkRouteTables,
  checkSubnets,
  isLive,
  newEndpointInterface,
  onlyFor,
} from './parts.ts'
import { endpointServices } from './service-catalogue.ts'
import { endpointFields, endpointView } from './view.ts'

const serviceOf = (ec2: Ec2, name: string | undefined) => {
  if (name === undefined) throw missingParameter('ServiceName')
  const service = endpointServices(ec2.region).find(candidate => candidate.name === name)
  if (!service) {
    throw refuse('InvalidServiceName', `The Vpc Endpoint Service '${name}' does not exist`)
  }
  return service
}

const typeOf = (ec2: Ec2, input: CreateVpcEndpointRequest): VpcEndpoint['type'] => {
  const service = serviceOf(ec2, input.ServiceName)
  const wanted = input.VpcEndpointType ?? 'Gateway'
  const type = service.types.find(candidate => candidate === wanted)
  if (!type) {
    throw refuse(
      'InvalidParameter',
      `Endpoint type (${wanted}) does not match available service types ([${service.types.join(', ')}]).`,
    )
  }
  return type
}

const checkCount = (ec2: Ec2, vpcId: string, type: VpcEndpoint['type']): void => {
  const live = ec2.tables.vpcEndpoints.all().filter(row => row.type === type && isLive(ec2, row))
  const exceeded = () =>
    refuse('VpcEndpointLimitExceeded', 'The maximum number of VPC endpoints has been reached.')
  if (type === 'Gateway') checkLimit(live.length, ec2.limits.gatewayEndpoints, exceeded)
  else {
    const inVpc = live.filter(row => row.vpcId === vpcId)
    checkLimit(inVpc.length, ec2.limits.interfaceEndpoints, exceeded)
  }
}

const create = (ec2: Ec2, input: CreateVpcEndpointRequest): string => {
  const vpc = find(ec2, 'vpcs', input.VpcId)
  const type = typeOf(ec2, input)
  const serviceName = input.ServiceName ?? ''
  if (type === 'Gateway') {
    onlyFor('Interface', 'SubnetIds', input.SubnetIds)
    onlyFor('Interface', 'SecurityGroupIds', input.SecurityGroupIds)
    onlyFor('Interface', 'PrivateDnsEnabled', input.PrivateDnsEnabled)
  } else onlyFor('Gateway', 'RouteTableIds', input.RouteTableIds)
  const ipAddressType = checkAddressType(input.IpAddressType)
  const policy = checkPolicy(input.PolicyDocument)
  const tags = newTags(input.TagSpecifications, 'vpc-endpoint')
  const routeTableIds = checkRouteTables(ec2, vpc.id, serviceName, input.RouteTableIds ?? [])
  const subnets = checkSubnets(ec2, vpc.id, input.SubnetIds ?? [])
  const [first] = subnets
  const groupIds = first ? groupsFor(ec2, first, input.SecurityGroupIds).map(({ id }) => id) : []
  checkCount(ec2, vpc.id, type)
  const resource = ec2.newResource('vpce', tags)
  const row: VpcEndpoint = {
    ...resource,
    vpcId: vpc.id,
    type,
    serviceName,
    policy,
    routeTableIds,
    subnetIds: subnets.map(({ id }) => id),
    groupIds,
    networkInterfaceIds: subnets.map(subnet => newEndpointInterface(ec2, resource.id, subnet, groupIds)),
    ipAddressType,
    dnsRecordIpType:
      input.DnsOptions?.DnsRecordIpType ?? (type === 'Gateway' ? 'service-defined' : ipAddressType),
    privateDns: type === 'Interface' && (input.PrivateDnsEnabled ?? true),
  }
  ec2.tables.vpcEndpoints.put(row)
  return row.id
}

const remove = (ec2: Ec2, id: string): void => {
  const row = find(ec2, 'vpcEndpoints', id)
  if (row.deletedAt !== undefined) return
  const goneAt = ec2.now + endpointDeletionTime(ec2, row)
  for (const interfaceId of row.networkInterfaceIds) {
    const own = ec2.tables.networkInterfaces.get(interfaceId)
    if (own) ec2.tables.networkInterfaces.put({ ...own, goneAt })
  }
  ec2.tables.vpcEndpoints.put({ ...row, deletedAt: ec2.now, goneAt })
}

/**
 * Returns the failure of one item; the call as a whole succeeds ("DeleteVpcEndpoints", API reference). Bulk requests
 * have a separate code for missing resources ("Error codes", EC2 API reference).
 */
const tryRemove = (ec2: Ec2, id: string): UnsuccessfulItem[] => {
  try {
    remove(ec2, id)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const code = error.wire.code.replace('VpcEndpointId.NotFound', 'VpcEndpoint.NotFound')
    return [{ ResourceId: id, Error: { Code: code, Message: error.wire.message } }]
  }
}

export const endpointOperations = {
  CreateVpcEndpoint: operation<CreateVpcEndpointRequest, CreateVpcEndpointResult>(
    {
      VpcId: true,
      VpcEndpointType: true,
      ServiceName: true,
      PolicyDocument: true,
      RouteTableIds: true,
      SubnetIds: true,
      SecurityGroupIds: true,
      IpAddressType: true,
      DnsOptions: { DnsRecordIpType: true },
      PrivateDnsEnabled: true,
      ClientToken: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      const { ids } = onceByToken(ec2, 'CreateVpcEndpoint', input, () => [create(ec2, input)])
      const row = ec2.tables.vpcEndpoints.get(ids[0] ?? '')
      return {
        VpcEndpoint: row ? endpointView(ec2, row) : { VpcEndpointId: ids[0], State: 'Deleted' },
        ClientToken: input.ClientToken,
      }
    },
  ),
  DescribeVpcEndpoints: operation<DescribeVpcEndpointsRequest, DescribeVpcEndpointsResult>(
    { VpcEndpointIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'vpcEndpoints', endpointFields(ec2), {
        ...input,
        ids: input.VpcEndpointIds,
        idsName: 'vpcEndpointIds',
        filters: input.Filters,
      })
      return { VpcEndpoints: items.map(row => endpointView(ec2, row)), NextToken: next }
    },
  ),
  DeleteVpcEndpoints: operation<DeleteVpcEndpointsRequest, DeleteVpcEndpointsResult>(
    { VpcEndpointIds: true },
    (input, ec2) => {
      const ids = input.VpcEndpointIds ?? []
      if (ids.length > 25) {
        throw invalidParameter('vpcEndpointIds', ids.length, 'There may be 25 at most.')
      }
      return { Unsuccessful: ids.flatMap(id => tryRemove(ec2, id)) }
    },
  ),
}
