import type {
  Ec2,
  Ec2Resource,
  Ec2Tag,
  Route,
  SecurityGroup,
  Vpc,
} from '../../sandbox/providers/aws/simulator/aws.ts'
import {
  associateWithDefaultAcl,
  heldByService,
  newDefaultAcl,
  newInterface,
  rulesOf,
} from '../../sandbox/providers/aws/simulator/aws.ts'
import type { RecordedResources, RecordedRoute } from './recorded-resources.ts'

/** Returns the common fields of a row. The creation time defaults to that of the shoot. */
export const resource = (ec2: Ec2, id: string, tags: readonly Ec2Tag[], created?: string): Ec2Resource => ({
  ...ec2.newResource('', tags),
  id,
  ...(created !== undefined && { createdAt: Date.parse(created) }),
})

/** Loads the VPC and its contents. */
export const loadNetwork = (ec2: Ec2, recorded: RecordedResources): void => {
  const { tables } = ec2
  for (const { DhcpOptionsId, DhcpConfigurations, Tags } of recorded.DhcpOptions) {
    const configurations = DhcpConfigurations.map(({ Key, Values }) => ({
      key: Key,
      values: Values.map(({ Value }) => Value),
    }))
    tables.dhcpOptions.put({ ...resource(ec2, DhcpOptionsId, Tags), configurations })
  }
  for (const { VpcId, CidrBlockAssociationSet, DhcpOptionsId, Tags } of recorded.Vpcs) {
    const vpc: Vpc = {
      ...resource(ec2, VpcId, Tags),
      blocks: CidrBlockAssociationSet.map(({ AssociationId, CidrBlock }) => ({
        id: AssociationId,
        cidr: CidrBlock,
        since: ec2.now,
      })),
      ipv6Blocks: [],
      dhcpOptionsId: DhcpOptionsId,
      tenancy: 'default',
      isDefault: false,
      dnsSupport: recorded.VpcAttributes.enableDnsSupport,
      dnsHostnames: recorded.VpcAttributes.enableDnsHostnames,
      addressUsageMetrics: false,
    }
    tables.vpcs.put(vpc)
    // Network ACLs were not recorded. Every VPC has one.
    newDefaultAcl(ec2, vpc)
  }
  for (const { InternetGatewayId, Attachments, Tags } of recorded.InternetGateways) {
    tables.internetGateways.put({
      ...resource(ec2, InternetGatewayId, Tags),
      vpcId: Attachments[0]?.VpcId,
    })
  }
  for (const subnet of recorded.Subnets) {
    tables.subnets.put({
      ...resource(ec2, subnet.SubnetId, subnet.Tags),
      vpcId: subnet.VpcId,
      zone: subnet.AvailabilityZone,
      cidr: subnet.CidrBlock,
      ipv6Blocks: [],
      ipv6Native: false,
      isDefault: false,
      mapPublicIp: subnet.MapPublicIpOnLaunch,
      assignIpv6: subnet.AssignIpv6AddressOnCreation,
      dns64: false,
      hostnameType: 'ip-name',
      aRecord: false,
      aaaaRecord: false,
    })
    associateWithDefaultAcl(ec2, subnet.VpcId, subnet.SubnetId)
  }
  for (const recordedGroup of recorded.SecurityGroups) loadSecurityGroup(ec2, recordedGroup)
}

const loadSecurityGroup = (ec2: Ec2, recorded: RecordedResources['SecurityGroups'][number]): void => {
  const group: SecurityGroup = {
    ...resource(ec2, recorded.GroupId, recorded.Tags),
    vpcId: recorded.VpcId,
    name: recorded.GroupName,
    description: recorded.Description,
    rules: [],
  }
  // A rule may refer to its own group.
  ec2.tables.securityGroups.put(group)
  const drafts = [
    ...rulesOf(ec2, group, recorded.IpPermissions, false),
    ...rulesOf(ec2, group, recorded.IpPermissionsEgress, true),
  ]
  const rules = drafts.map(draft => ({ ...draft, id: ec2.newId('sgr') }))
  ec2.tables.securityGroups.put({ ...group, rules })
}

const targetOf = ({ GatewayId, NatGatewayId }: RecordedRoute): Route['target'] | undefined => {
  if (NatGatewayId !== undefined) return { type: 'nat-gateway', id: NatGatewayId }
  // Local routes follow from the VPC.
  return GatewayId === undefined || GatewayId === 'local' ? undefined : { type: 'gateway', id: GatewayId }
}

/** Loads routes and gateways. Call it after `loadNetwork`. */
export const loadRouting = (ec2: Ec2, recorded: RecordedResources): void => {
  const { tables } = ec2
  for (const { RouteTableId, VpcId, Routes, Associations, Tags } of recorded.RouteTables) {
    tables.routeTables.put({
      ...resource(ec2, RouteTableId, Tags),
      vpcId: VpcId,
      routes: Routes.flatMap(route => {
        const target = targetOf(route)
        return target ? [{ destination: route.DestinationCidrBlock, target }] : []
      }),
      associations: Associations.map(({ RouteTableAssociationId, SubnetId }) => ({
        id: RouteTableAssociationId,
        subnetId: SubnetId,
      })),
    })
  }
  for (const { AllocationId, PublicIp, Tags } of recorded.Addresses) {
    tables.addresses.put({ ...resource(ec2, AllocationId, Tags), publicIp: PublicIp })
  }
  for (const gateway of recorded.NatGateways) loadNatGateway(ec2, gateway)
  for (const endpoint of recorded.VpcEndpoints) {
    tables.vpcEndpoints.put({
      ...resource(ec2, endpoint.VpcEndpointId, endpoint.Tags, endpoint.CreationTimestamp),
      vpcId: endpoint.VpcId,
      type: endpoint.VpcEndpointType,
      serviceName: endpoint.ServiceName,
      policy: endpoint.PolicyDocument,
      // The routes to it follow from these tables, including those that the emulator of the recording did not create.
      routeTableIds: endpoint.RouteTableIds,
      subnetIds: [],
      groupIds: [],
      networkInterfaceIds: [],
      ipAddressType: 'ipv4',
      dnsRecordIpType: 'service-defined',
      // The emulator reports private names for an endpoint without interfaces.
      privateDns: false,
    })
  }
}

const loadNatGateway = (ec2: Ec2, recorded: RecordedResources['NatGateways'][number]): void => {
  const { addresses, natGateways, networkInterfaces, subnets } = ec2.tables
  const subnet = subnets.get(recorded.SubnetId)
  const [given] = recorded.NatGatewayAddresses
  const address = given && addresses.get(given.AllocationId)
  if (!subnet || !address) throw new Error(`${recorded.NatGatewayId} is in no subnet or has no address`)
  // Interfaces were not recorded. The emulator's private addresses are outside the subnet, so this one is a new address
  // inside it.
  const made = newInterface(ec2, {
    subnet,
    type: 'nat_gateway',
    description: `Interface for NAT Gateway ${recorded.NatGatewayId}`,
    requester: 'amazon-aws',
    sourceDestCheck: false,
    attachment: heldByService(ec2, 'amazon-aws'),
  })
  networkInterfaces.remove(made.id)
  networkInterfaces.put({ ...made, id: given.NetworkInterfaceId, groupIds: [] })
  const [privateIp = ''] = made.ipv4
  const { AssociationId: associationId, NetworkInterfaceId: networkInterfaceId } = given
  addresses.put({ ...address, association: { id: associationId, networkInterfaceId, privateIp } })
  natGateways.put({
    ...resource(ec2, recorded.NatGatewayId, recorded.Tags, recorded.CreateTime),
    vpcId: recorded.VpcId,
    subnetId: recorded.SubnetId,
    connectivity: 'public',
    addresses: [
      {
        allocationId: given.AllocationId,
        associationId,
        networkInterfaceId,
        privateIp,
        publicIp: given.PublicIp,
      },
    ],
  })
}
