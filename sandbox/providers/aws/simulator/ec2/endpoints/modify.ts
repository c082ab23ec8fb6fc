import type { ModifyVpcEndpointRequest, ModifyVpcEndpointResult } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { operation } from '../core/requests/operation.ts'
import type { VpcEndpoint } from '../rows/network.ts'
import {
  checkAddressType,
  checkPolicy,
  checkRouteTables,
  checkSubnets,
  isLive,
  newEndpointInterface,
  onlyFor,
  openPolicy,
} from './parts.ts'

const without = (ids: readonly string[], removed: readonly string[] = []): readonly string[] =>
  ids.filter(id => !removed.includes(id))

/** Returns the route tables after the change. A table to be removed must exist, but need not be associated. */
const routeTablesAfter = (ec2: Ec2, row: VpcEndpoint, input: ModifyVpcEndpointRequest): readonly string[] => {
  for (const id of input.RemoveRouteTableIds ?? []) find(ec2, 'routeTables', id)
  const added = checkRouteTables(ec2, row.vpcId, row.serviceName, input.AddRouteTableIds ?? [])
  return [...without(row.routeTableIds, input.RemoveRouteTableIds), ...new Set(added)]
}

const policyAfter = (row: VpcEndpoint, input: ModifyVpcEndpointRequest): string => {
  if (input.ResetPolicy) return openPolicy
  return input.PolicyDocument === undefined ? row.policy : checkPolicy(input.PolicyDocument)
}

/** Creates the interfaces of added subnets and deletes those of removed subnets. */
const changeSubnets = (
  ec2: Ec2,
  row: VpcEndpoint,
  input: ModifyVpcEndpointRequest,
): Pick<VpcEndpoint, 'subnetIds' | 'groupIds' | 'networkInterfaceIds'> => {
  const groupIds = [
    ...without(row.groupIds, input.RemoveSecurityGroupIds),
    ...(input.AddSecurityGroupIds ?? []).map(id => find(ec2, 'securityGroups', id).id),
  ]
  const kept = without(row.subnetIds, input.RemoveSubnetIds)
  const added = without(input.AddSubnetIds ?? [], kept)
  const subnetIds = checkSubnets(ec2, row.vpcId, [...kept, ...added]).map(({ id }) => id)
  const interfaces = row.networkInterfaceIds.flatMap(id => ec2.tables.networkInterfaces.get(id) ?? [])
  const staying = interfaces.filter(({ subnetId }) => kept.includes(subnetId))
  for (const own of interfaces) {
    if (staying.includes(own)) ec2.tables.networkInterfaces.put({ ...own, groupIds })
    else ec2.tables.networkInterfaces.remove(own.id)
  }
  return {
    subnetIds,
    groupIds,
    networkInterfaceIds: [
      ...staying.map(({ id }) => id),
      ...added.map(id => newEndpointInterface(ec2, row.id, find(ec2, 'subnets', id), groupIds)),
    ],
  }
}

export const modifyEndpointOperations = {
  ModifyVpcEndpoint: operation<ModifyVpcEndpointRequest, ModifyVpcEndpointResult>(
    {
      VpcEndpointId: true,
      ResetPolicy: true,
      PolicyDocument: true,
      AddRouteTableIds: true,
      RemoveRouteTableIds: true,
      AddSubnetIds: true,
      RemoveSubnetIds: true,
      AddSecurityGroupIds: true,
      RemoveSecurityGroupIds: true,
      IpAddressType: true,
      DnsOptions: { DnsRecordIpType: true },
      PrivateDnsEnabled: true,
    },
    (input, ec2) => {
      const row = find(ec2, 'vpcEndpoints', input.VpcEndpointId)
      if (!isLive(ec2, row)) {
        throw refuse('InvalidState', `The VPC endpoint ${row.id} is not in a state that can be modified.`)
      }
      if (row.type === 'Gateway') {
        onlyFor('Interface', 'AddSubnetIds', input.AddSubnetIds)
        onlyFor('Interface', 'AddSecurityGroupIds', input.AddSecurityGroupIds)
        onlyFor('Interface', 'PrivateDnsEnabled', input.PrivateDnsEnabled)
      } else onlyFor('Gateway', 'AddRouteTableIds', input.AddRouteTableIds)
      const next = {
        routeTableIds: routeTablesAfter(ec2, row, input),
        policy: policyAfter(row, input),
        ipAddressType:
          input.IpAddressType === undefined ? row.ipAddressType : checkAddressType(input.IpAddressType),
        dnsRecordIpType: input.DnsOptions?.DnsRecordIpType ?? row.dnsRecordIpType,
        privateDns: input.PrivateDnsEnabled ?? row.privateDns,
      }
      const parts = row.type === 'Interface' ? changeSubnets(ec2, row, input) : {}
      ec2.tables.vpcEndpoints.put({ ...row, ...next, ...parts })
      return { Return: true }
    },
  ),
}
