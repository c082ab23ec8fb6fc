import { refuse, type ServiceError } from '../../../service.ts'
import type { Ec2Resource } from '../../rows/resource.ts'
import type { Ec2 } from '../context.ts'
import type { Rows } from '../state.ts'

interface Kind {
  /** The id prefix: `vpc` for `vpc-0a1b2c3d`. */
  readonly prefix: string
  /** The name in tag specifications and DescribeTags. */
  readonly resourceType: string
  readonly notFound: string
  /** Absent if EC2 does not check the form of the id and reports that it does not exist. */
  readonly malformed?: string
  readonly text: (id: string) => string
}

/**
 * Codes: "Error codes", EC2 API reference. For malformed ids of VPCs, subnets and route tables EC2 returns NotFound
 * ("The vpc ID 'aws_vpc.x.id' does not exist" in the wild).
 */
export const kinds: { readonly [Name in keyof Rows]: Kind } = {
  vpcs: {
    prefix: 'vpc',
    resourceType: 'vpc',
    notFound: 'InvalidVpcID.NotFound',
    text: id => `The vpc ID '${id}' does not exist`,
  },
  subnets: {
    prefix: 'subnet',
    resourceType: 'subnet',
    notFound: 'InvalidSubnetID.NotFound',
    text: id => `The subnet ID '${id}' does not exist`,
  },
  subnetReservations: {
    prefix: 'scr',
    resourceType: 'subnet-cidr-reservation',
    notFound: 'InvalidSubnetCidrReservationID.NotFound',
    text: id => `The subnet-cidr-reservation ID '${id}' does not exist`,
  },
  dhcpOptions: {
    prefix: 'dopt',
    resourceType: 'dhcp-options',
    notFound: 'InvalidDhcpOptionID.NotFound',
    malformed: 'InvalidDhcpOptionsId.Malformed',
    text: id => `The dhcpOption ID '${id}' does not exist`,
  },
  internetGateways: {
    prefix: 'igw',
    resourceType: 'internet-gateway',
    notFound: 'InvalidInternetGatewayID.NotFound',
    malformed: 'InvalidInternetGatewayId.Malformed',
    text: id => `The internetGateway ID '${id}' does not exist`,
  },
  egressOnlyGateways: {
    prefix: 'eigw',
    resourceType: 'egress-only-internet-gateway',
    notFound: 'InvalidEgressOnlyInternetGatewayId.NotFound',
    malformed: 'InvalidEgressOnlyInternetGatewayId.Malformed',
    text: id => `The egressOnlyInternetGateway ID '${id}' does not exist`,
  },
  routeTables: {
    prefix: 'rtb',
    resourceType: 'route-table',
    notFound: 'InvalidRouteTableID.NotFound',
    text: id => `The routeTable ID '${id}' does not exist`,
  },
  networkAcls: {
    prefix: 'acl',
    resourceType: 'network-acl',
    notFound: 'InvalidNetworkAclID.NotFound',
    malformed: 'InvalidNetworkAclId.Malformed',
    text: id => `The networkAcl ID '${id}' does not exist`,
  },
  securityGroups: {
    prefix: 'sg',
    resourceType: 'security-group',
    notFound: 'InvalidGroup.NotFound',
    malformed: 'InvalidGroupId.Malformed',
    text: id => `The security group '${id}' does not exist`,
  },
  addresses: {
    prefix: 'eipalloc',
    resourceType: 'elastic-ip',
    notFound: 'InvalidAllocationID.NotFound',
    text: id => `The allocation ID '${id}' does not exist`,
  },
  natGateways: {
    prefix: 'nat',
    resourceType: 'natgateway',
    notFound: 'NatGatewayNotFound',
    malformed: 'NatGatewayMalformed',
    text: id => `The Nat Gateway ${id} was not found`,
  },
  vpcEndpoints: {
    prefix: 'vpce',
    resourceType: 'vpc-endpoint',
    notFound: 'InvalidVpcEndpointId.NotFound',
    malformed: 'InvalidVpcEndpointId.Malformed',
    text: id => `The Vpc Endpoint Id '${id}' does not exist`,
  },
  networkInterfaces: {
    prefix: 'eni',
    resourceType: 'network-interface',
    notFound: 'InvalidNetworkInterfaceID.NotFound',
    malformed: 'InvalidNetworkInterfaceId.Malformed',
    text: id => `The networkInterface ID '${id}' does not exist`,
  },
  keyPairs: {
    prefix: 'key',
    resourceType: 'key-pair',
    notFound: 'InvalidKeyPair.NotFound',
    text: id => `The key pair ID '${id}' does not exist`,
  },
  volumes: {
    prefix: 'vol',
    resourceType: 'volume',
    notFound: 'InvalidVolume.NotFound',
    malformed: 'InvalidVolumeID.Malformed',
    text: id => `The volume '${id}' does not exist.`,
  },
  images: {
    prefix: 'ami',
    resourceType: 'image',
    notFound: 'InvalidAMIID.NotFound',
    malformed: 'InvalidAMIID.Malformed',
    text: id => `The image id '[${id}]' does not exist`,
  },
  instances: {
    prefix: 'i',
    resourceType: 'instance',
    notFound: 'InvalidInstanceID.NotFound',
    malformed: 'InvalidInstanceID.Malformed',
    text: id => `The instance ID '${id}' does not exist`,
  },
}

/** Returns true if a resource is old enough for the call to see it. */
export const isVisible = (ec2: Ec2, row: Ec2Resource): boolean =>
  !ec2.isLate || ec2.now >= row.createdAt + ec2.delay(row.id, row.createdAt)

/** @throws AwsError if an id does not have the form that EC2 requires */
const checkForm = (table: keyof Rows, id: string): void => {
  const { prefix, malformed } = kinds[table]
  if (malformed === undefined || new RegExp(`^${prefix}-(?:[0-9a-f]{8}|[0-9a-f]{17})$`).test(id)) return
  throw refuse(malformed, `Invalid id: "${id}" (expecting "${prefix}-...")`)
}

export const notFound = (table: keyof Rows, id: string): ServiceError =>
  refuse(kinds[table].notFound, kinds[table].text(id))

/**
 * Returns the resource that a request names.
 *
 * @throws AwsError NotFound or Malformed, in EC2's words for this kind of resource
 */
export const find = <Name extends keyof Rows>(ec2: Ec2, table: Name, id: string | undefined): Rows[Name] => {
  const wanted = id ?? ''
  checkForm(table, wanted)
  const row = ec2.tables[table].get(wanted)
  if (!row || !isVisible(ec2, row)) throw notFound(table, wanted)
  return row
}

/** Returns every resource that a request names. */
export const findAll = <Name extends keyof Rows>(
  ec2: Ec2,
  table: Name,
  ids: readonly string[],
): readonly Rows[Name][] => [...new Set(ids)].map(id => find(ec2, table, id))
