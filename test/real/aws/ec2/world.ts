import type { CreateVpcCommandInput, ResourceType, TagSpecification } from '@aws-sdk/client-ec2'
import { type AwsEndpoint, type Behaviour, minutes } from '../behaviour.ts'

/** Returns the id in an answer. Throws if it is absent. */
export const present = (id: string | undefined): string => {
  if (id === undefined) throw new Error('the answer lacks an id')
  return id
}

/** Returns the tags for a create call. */
export const tagged = (ResourceType: ResourceType, tags: Record<string, string>): TagSpecification[] => [
  { ResourceType, Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
]

/** Returns a filter by VPC. */
export const inside = (vpcId: string) => [{ Name: 'vpc-id', Values: [vpcId] }]

/** Creates a VPC, with functions to add resources to it. */
export const freshVpc = async (endpoint: AwsEndpoint, input: CreateVpcCommandInput = {}) => {
  const { ec2, pass } = endpoint
  const id = present((await ec2.createVpc({ CidrBlock: '10.0.0.0/16', ...input })).Vpc?.VpcId)
  return {
    ...endpoint,
    id,
    /** Waits until all earlier changes are visible and complete. */
    waitLong: () => pass(minutes(10)),
    subnet: async (CidrBlock = '10.0.0.0/24', zone = 'a') => {
      const AvailabilityZone = `eu-west-1${zone}`
      return present((await ec2.createSubnet({ VpcId: id, CidrBlock, AvailabilityZone })).Subnet?.SubnetId)
    },
    /** An internet gateway, attached. */
    gateway: async () => {
      const InternetGatewayId = present(
        (await ec2.createInternetGateway({})).InternetGateway?.InternetGatewayId,
      )
      await ec2.attachInternetGateway({ InternetGatewayId, VpcId: id })
      return InternetGatewayId
    },
    table: async () => present((await ec2.createRouteTable({ VpcId: id })).RouteTable?.RouteTableId),
    group: async (GroupName = 'nodes') =>
      present((await ec2.createSecurityGroup({ VpcId: id, GroupName, Description: GroupName })).GroupId),
    address: async () => present((await ec2.allocateAddress({ Domain: 'vpc' })).AllocationId),
    nat: async (SubnetId: string, AllocationId: string) =>
      present((await ec2.createNatGateway({ SubnetId, AllocationId })).NatGateway?.NatGatewayId),
    nic: async (SubnetId: string, Groups?: string[]) =>
      present(
        (await ec2.createNetworkInterface({ SubnetId, ...(Groups ? { Groups } : {}) })).NetworkInterface
          ?.NetworkInterfaceId,
      ),
    remove: () => ec2.deleteVpc({ VpcId: id }),
  }
}

export type FreshVpc = Awaited<ReturnType<typeof freshVpc>>

/** Runs `see` in a new VPC. */
export const inVpc =
  (see: (vpc: FreshVpc) => Promise<unknown>, input?: CreateVpcCommandInput): Behaviour['see'] =>
  async endpoint =>
    see(await freshVpc(endpoint, input))

/** Returns a valid id that no resource has. */
export const nothing = (prefix: string): string => `${prefix}-0000000000000000f`
