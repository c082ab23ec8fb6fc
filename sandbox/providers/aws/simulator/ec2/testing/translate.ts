import type { EC2Client } from '@aws-sdk/client-ec2'
import {
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeKeyPairsCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import type { RecordedResource } from './recording.ts'

export type ResourceLists = Readonly<Record<string, readonly RecordedResource[]>>

/** Lists all resources of an account under the names of the recordings. */
export const describeAll = async (client: EC2Client): Promise<ResourceLists> => {
  const [vpcs, subnets, tables, groups, addresses, gateways, internet, dhcp, keys, endpoints, instances] =
    await Promise.all([
      client.send(new DescribeVpcsCommand({})),
      client.send(new DescribeSubnetsCommand({})),
      client.send(new DescribeRouteTablesCommand({})),
      client.send(new DescribeSecurityGroupsCommand({})),
      client.send(new DescribeAddressesCommand({})),
      client.send(new DescribeNatGatewaysCommand({})),
      client.send(new DescribeInternetGatewaysCommand({})),
      client.send(new DescribeDhcpOptionsCommand({})),
      client.send(new DescribeKeyPairsCommand({})),
      client.send(new DescribeVpcEndpointsCommand({})),
      client.send(new DescribeInstancesCommand({})),
    ])
  const lists = {
    Vpcs: vpcs.Vpcs,
    Subnets: subnets.Subnets,
    RouteTables: tables.RouteTables,
    SecurityGroups: groups.SecurityGroups,
    Addresses: addresses.Addresses,
    NatGateways: gateways.NatGateways,
    InternetGateways: internet.InternetGateways,
    DhcpOptions: dhcp.DhcpOptions,
    KeyPairs: keys.KeyPairs,
    VpcEndpoints: endpoints.VpcEndpoints,
    Instances: instances.Reservations?.flatMap(({ Instances = [] }) => Instances),
  }
  return lists as unknown as ResourceLists
}

/** The member with a resource's id, by list. */
export const idMembers: Readonly<Record<string, string>> = {
  Vpcs: 'VpcId',
  Subnets: 'SubnetId',
  RouteTables: 'RouteTableId',
  SecurityGroups: 'GroupId',
  Addresses: 'AllocationId',
  NatGateways: 'NatGatewayId',
  InternetGateways: 'InternetGatewayId',
  DhcpOptions: 'DhcpOptionsId',
  KeyPairs: 'KeyPairId',
  VpcEndpoints: 'VpcEndpointId',
  Instances: 'InstanceId',
}

interface NamedParts {
  readonly Tags?: readonly { readonly Key: string; readonly Value: string }[]
  readonly GroupName?: string
  readonly VpcId?: string
  readonly Associations?: readonly {
    readonly Main: boolean
    readonly SubnetId?: string
    readonly RouteTableAssociationId: string
  }[]
}

/** Returns a resource's name, which is the same in the recording and the simulator. */
const nameOf = (resource: RecordedResource): string => {
  const { Tags = [], GroupName, Associations } = resource as NamedParts
  if (GroupName !== undefined) return `group ${GroupName}`
  const tag = Tags.find(({ Key }) => Key === 'Name')?.Value
  if (tag !== undefined) return tag
  return Associations?.some(({ Main }) => Main) ? 'main table' : ''
}

const associationsOf = (resource: RecordedResource) => (resource as NamedParts).Associations ?? []

/** Returns only the resources of the recording's VPC. The default VPC also has a main table and a default group. */
const ofRecording = (lists: ResourceLists, vpcName: string): ResourceLists => {
  const vpc = lists.Vpcs?.find(candidate => nameOf(candidate) === vpcName) as NamedParts | undefined
  const inVpc = (resource: RecordedResource) =>
    (resource as NamedParts).VpcId === undefined || (resource as NamedParts).VpcId === vpc?.VpcId
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.filter(inVpc)]))
}

/** Maps the recording's ids to those of the simulator, for resources that the simulator has. */
export const idMap = (recorded: ResourceLists, found: ResourceLists): ReadonlyMap<string, string> => {
  const map = new Map<string, string>()
  const own = ofRecording(found, nameOf(recorded.Vpcs?.[0] ?? {}))
  for (const [list, member] of Object.entries(idMembers)) {
    for (const resource of recorded[list] ?? []) {
      const twin = own[list]?.find(candidate => nameOf(candidate) === nameOf(resource))
      if (twin) map.set(String(resource[member]), String(twin[member]))
    }
  }
  for (const table of recorded.RouteTables ?? []) {
    const twin = own.RouteTables?.find(
      ({ RouteTableId }) => RouteTableId === map.get(String(table.RouteTableId)),
    )
    for (const { SubnetId, RouteTableAssociationId } of associationsOf(table)) {
      const subnet = SubnetId === undefined ? undefined : map.get(SubnetId)
      const same = twin && associationsOf(twin).find(candidate => candidate.SubnetId === subnet)
      if (same) map.set(RouteTableAssociationId, same.RouteTableAssociationId)
    }
  }
  return map
}

const recordedId = /\b[a-z]+(?:-[a-z]+)*-[0-9a-f]{17}\b/g

/** Returns the ids in a text of the recording. */
export const recordedIds = (text: string): readonly string[] => text.match(recordedId) ?? []

/** Replaces the recording's ids by the simulator's. */
export const translate = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(recordedId, id => ids.get(id) ?? id)
