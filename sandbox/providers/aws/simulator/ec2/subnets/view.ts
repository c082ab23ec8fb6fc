import type { SubnetIpv6CidrBlockAssociation, Subnet as SubnetOut } from '@aws-sdk/client-ec2'
import { blockState, blockStateView, presentBlocks } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import type { CidrAssociation, Subnet } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { zoneId } from '../zones/catalogue.ts'
import { freeIpv4Count } from './free-addresses.ts'

const subnetState = (ec2: Ec2, row: Subnet): 'pending' | 'available' =>
  ec2.now < row.createdAt + ec2.durations.subnetAvailable ? 'pending' : 'available'

export const subnetBlockView = (ec2: Ec2, block: CidrAssociation): SubnetIpv6CidrBlockAssociation => ({
  AssociationId: block.id,
  Ipv6CidrBlock: block.cidr,
  Ipv6CidrBlockState: blockStateView(ec2, block),
  Ipv6AddressAttribute: 'public',
  IpSource: 'amazon',
})

export const subnetView = (ec2: Ec2, row: Subnet): SubnetOut => ({
  OwnerId: ec2.accountId,
  SubnetId: row.id,
  SubnetArn: ec2.arn('subnet', row.id),
  VpcId: row.vpcId,
  State: subnetState(ec2, row),
  AvailabilityZone: row.zone,
  AvailabilityZoneId: zoneId(row.zone),
  CidrBlock: row.cidr,
  AvailableIpAddressCount: freeIpv4Count(ec2, row),
  Ipv6CidrBlockAssociationSet: presentBlocks(ec2, row.ipv6Blocks).map(block => subnetBlockView(ec2, block)),
  Ipv6Native: row.ipv6Native,
  DefaultForAz: row.isDefault,
  MapPublicIpOnLaunch: row.mapPublicIp,
  MapCustomerOwnedIpOnLaunch: false,
  AssignIpv6AddressOnCreation: row.assignIpv6,
  EnableDns64: row.dns64,
  PrivateDnsNameOptionsOnLaunch: {
    HostnameType: row.hostnameType,
    EnableResourceNameDnsARecord: row.aRecord,
    EnableResourceNameDnsAAAARecord: row.aaaaRecord,
  },
  BlockPublicAccessStates: { InternetGatewayBlockMode: 'off' },
  Tags: tagsOut(row.tags),
})

export const subnetFields = (ec2: Ec2): FilterFields<Subnet> => ({
  'availability-zone': row => row.zone,
  availabilityZone: row => row.zone,
  'availability-zone-id': row => zoneId(row.zone),
  availabilityZoneId: row => zoneId(row.zone),
  'available-ip-address-count': row => freeIpv4Count(ec2, row),
  'cidr-block': row => row.cidr,
  cidr: row => row.cidr,
  cidrBlock: row => row.cidr,
  'default-for-az': row => row.isDefault,
  defaultForAz: row => row.isDefault,
  'enable-dns64': row => row.dns64,
  'ipv6-cidr-block-association.ipv6-cidr-block': row =>
    presentBlocks(ec2, row.ipv6Blocks).map(({ cidr }) => cidr),
  'ipv6-cidr-block-association.association-id': row => presentBlocks(ec2, row.ipv6Blocks).map(({ id }) => id),
  'ipv6-cidr-block-association.state': row =>
    presentBlocks(ec2, row.ipv6Blocks).map(block => blockState(ec2, block)),
  'ipv6-native': row => row.ipv6Native,
  'map-public-ip-on-launch': row => row.mapPublicIp,
  'owner-id': () => ec2.accountId,
  'private-dns-name-options-on-launch.hostname-type': row => row.hostnameType,
  'private-dns-name-options-on-launch.enable-resource-name-dns-a-record': row => row.aRecord,
  'private-dns-name-options-on-launch.enable-resource-name-dns-aaaa-record': row => row.aaaaRecord,
  state: row => subnetState(ec2, row),
  'subnet-arn': row => ec2.arn('subnet', row.id),
  'subnet-id': row => row.id,
  'vpc-id': row => row.vpcId,
})
