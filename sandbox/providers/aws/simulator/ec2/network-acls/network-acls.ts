import type {
  DescribeNetworkAclsRequest,
  DescribeNetworkAclsResult,
  NetworkAcl as NetworkAclOut,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { listRows } from '../core/describe/list.ts'
import { operation } from '../core/requests/operation.ts'
import type { NetworkAcl } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'

const view = (ec2: Ec2, row: NetworkAcl): NetworkAclOut => ({
  NetworkAclId: row.id,
  VpcId: row.vpcId,
  OwnerId: ec2.accountId,
  IsDefault: row.isDefault,
  Entries: row.entries.map(({ number, egress, allow, cidr }) => ({
    RuleNumber: number,
    Egress: egress,
    RuleAction: allow ? 'allow' : 'deny',
    Protocol: '-1',
    ...(cidr.includes(':') ? { Ipv6CidrBlock: cidr } : { CidrBlock: cidr }),
  })),
  Associations: row.associations.map(({ id, subnetId }) => ({
    NetworkAclAssociationId: id,
    NetworkAclId: row.id,
    SubnetId: subnetId,
  })),
  Tags: tagsOut(row.tags),
})

const fields = (ec2: Ec2): FilterFields<NetworkAcl> => ({
  'association.association-id': row => row.associations.map(({ id }) => id),
  'association.network-acl-id': row => (row.associations.length > 0 ? row.id : undefined),
  'association.subnet-id': row => row.associations.map(({ subnetId }) => subnetId),
  default: row => row.isDefault,
  'network-acl-id': row => row.id,
  'owner-id': () => ec2.accountId,
  'vpc-id': row => row.vpcId,
})

export const networkAclOperations = {
  DescribeNetworkAcls: operation<DescribeNetworkAclsRequest, DescribeNetworkAclsResult>(
    { NetworkAclIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'networkAcls', fields(ec2), {
        ...input,
        ids: input.NetworkAclIds,
        idsName: 'networkAclIds',
        filters: input.Filters,
      })
      return { NetworkAcls: items.map(row => view(ec2, row)), NextToken: next }
    },
  ),
}
