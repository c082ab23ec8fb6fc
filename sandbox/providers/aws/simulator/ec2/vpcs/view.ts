import type { VpcIpv6CidrBlockAssociation, Vpc as VpcOut } from '@aws-sdk/client-ec2'
import { blockState, blockStateView, presentBlocks } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import type { CidrAssociation, Ipv6Association, Vpc } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'

const vpcState = (ec2: Ec2, vpc: Vpc): 'pending' | 'available' =>
  ec2.now < vpc.createdAt + ec2.durations.vpcAvailable ? 'pending' : 'available'

export const ipv4BlockView = (ec2: Ec2, block: CidrAssociation) => ({
  AssociationId: block.id,
  CidrBlock: block.cidr,
  CidrBlockState: { State: blockState(ec2, block) },
})

export const ipv6BlockView = (ec2: Ec2, block: Ipv6Association): VpcIpv6CidrBlockAssociation => ({
  AssociationId: block.id,
  Ipv6CidrBlock: block.cidr,
  Ipv6CidrBlockState: blockStateView(ec2, block),
  NetworkBorderGroup: ec2.region,
  Ipv6Pool: block.pool === 'Amazon' ? 'Amazon' : 'IPAM Managed',
  IpSource: 'amazon',
  Ipv6AddressAttribute: 'public',
})

export const vpcView = (ec2: Ec2, vpc: Vpc): VpcOut => ({
  OwnerId: ec2.accountId,
  VpcId: vpc.id,
  State: vpcState(ec2, vpc),
  CidrBlock: vpc.blocks[0]?.cidr,
  CidrBlockAssociationSet: presentBlocks(ec2, vpc.blocks).map(block => ipv4BlockView(ec2, block)),
  Ipv6CidrBlockAssociationSet: presentBlocks(ec2, vpc.ipv6Blocks).map(block => ipv6BlockView(ec2, block)),
  DhcpOptionsId: vpc.dhcpOptionsId,
  InstanceTenancy: vpc.tenancy,
  IsDefault: vpc.isDefault,
  BlockPublicAccessStates: { InternetGatewayBlockMode: 'off' },
  Tags: tagsOut(vpc.tags),
})

export const vpcFields = (ec2: Ec2): FilterFields<Vpc> => ({
  cidr: vpc => vpc.blocks[0]?.cidr,
  'cidr-block-association.cidr-block': vpc => presentBlocks(ec2, vpc.blocks).map(({ cidr }) => cidr),
  'cidr-block-association.association-id': vpc => presentBlocks(ec2, vpc.blocks).map(({ id }) => id),
  'cidr-block-association.state': vpc => presentBlocks(ec2, vpc.blocks).map(block => blockState(ec2, block)),
  'dhcp-options-id': vpc => vpc.dhcpOptionsId,
  'ipv6-cidr-block-association.ipv6-cidr-block': vpc =>
    presentBlocks(ec2, vpc.ipv6Blocks).map(({ cidr }) => cidr),
  'ipv6-cidr-block-association.association-id': vpc => presentBlocks(ec2, vpc.ipv6Blocks).map(({ id }) => id),
  'ipv6-cidr-block-association.state': vpc =>
    presentBlocks(ec2, vpc.ipv6Blocks).map(block => blockState(ec2, block)),
  'is-default': vpc => vpc.isDefault,
  isDefault: vpc => vpc.isDefault,
  'owner-id': () => ec2.accountId,
  state: vpc => vpcState(ec2, vpc),
  'vpc-id': vpc => vpc.id,
})
