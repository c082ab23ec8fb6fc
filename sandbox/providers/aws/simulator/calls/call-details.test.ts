import { expect, test } from 'vitest'
import { detailsOf } from './call-details.ts'

const named = (name: string) => [{ ResourceType: 'x', Tags: [{ Key: 'Name', Value: name }] }]

test.each([
  ['CreateVpc', { CidrBlock: '10.0.0.0/16', TagSpecifications: named('a') }, ' a 10.0.0.0/16'],
  [
    'CreateNatGateway',
    { SubnetId: 'subnet-1', AllocationId: 'eipalloc-1', TagSpecifications: named('n') },
    ' n → subnet-1, eipalloc-1',
  ],
  [
    'CreateRoute',
    { RouteTableId: 'rtb-1', DestinationCidrBlock: '0.0.0.0/0', NatGatewayId: 'nat-1' },
    ' rtb-1 0.0.0.0/0 → nat-1',
  ],
  ['DeleteSubnet', { SubnetId: 'subnet-1' }, ' subnet-1'],
  ['DeleteVpcEndpoints', { VpcEndpointIds: ['vpce-1', 'vpce-2'] }, ' vpce-1 → vpce-2'],
  [
    'ModifyVpcAttribute',
    { VpcId: 'vpc-1', EnableDnsSupport: { Value: true } },
    ' vpc-1 EnableDnsSupport=true',
  ],
  ['CreateTags', { Resources: ['vpc-1'], Tags: [{ Key: 'Name', Value: 'a' }] }, ' vpc-1 Name=a'],
  ['DeleteTags', { Resources: ['vpc-1'], Tags: [{ Key: 'old' }] }, ' vpc-1 old'],
  ['AddRoleToInstanceProfile', { RoleName: 'r', InstanceProfileName: 'p' }, ' r → p'],
  ['DeleteObject', { Bucket: 'b', Key: 'etcd/1' }, ' b etcd/1'],
  [
    'AuthorizeSecurityGroupIngress',
    {
      GroupId: 'sg-1',
      IpPermissions: [
        { IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: 'sg-1' }] },
        { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
        { IpProtocol: 'udp', FromPort: 1, ToPort: 9, Ipv6Ranges: [{ CidrIpv6: '::/0' }] },
      ],
    },
    ' sg-1 all sg-1; tcp 22 0.0.0.0/0; udp 1-9 ::/0',
  ],
  ['DescribeVpcs', { VpcIds: ['vpc-1'] }, ''],
  ['CreateInternetGateway', {}, ''],
])('%s are shown in the details', (action, input, words) => {
  expect(detailsOf({ action, input })).toBe(words)
})
