import { expect, test } from 'vitest'
import { createServices } from './services.ts'

/**
 * The operations that Gardener's AWS extension, its machine controller, its volume driver and Trellis call, by service.
 */
const called: Readonly<Record<string, string>> = {
  ec2: `
    CreateVpc DeleteVpc DescribeVpcs DescribeVpcAttribute ModifyVpcAttribute AssociateVpcCidrBlock
    CreateDhcpOptions AssociateDhcpOptions DescribeDhcpOptions DeleteDhcpOptions
    CreateInternetGateway AttachInternetGateway DetachInternetGateway DeleteInternetGateway
    DescribeInternetGateways
    CreateEgressOnlyInternetGateway DeleteEgressOnlyInternetGateway DescribeEgressOnlyInternetGateways
    CreateSubnet DeleteSubnet DescribeSubnets ModifySubnetAttribute AssociateSubnetCidrBlock
    CreateSubnetCidrReservation GetSubnetCidrReservations DeleteSubnetCidrReservation
    AllocateAddress ReleaseAddress DescribeAddresses
    CreateNatGateway DeleteNatGateway DescribeNatGateways
    CreateRouteTable DeleteRouteTable DescribeRouteTables AssociateRouteTable DisassociateRouteTable
    CreateRoute DeleteRoute ReplaceRoute
    CreateVpcEndpoint ModifyVpcEndpoint DeleteVpcEndpoints DescribeVpcEndpoints
    CreateSecurityGroup DeleteSecurityGroup DescribeSecurityGroups DescribeSecurityGroupRules
    AuthorizeSecurityGroupIngress AuthorizeSecurityGroupEgress
    RevokeSecurityGroupIngress RevokeSecurityGroupEgress
    ImportKeyPair DescribeKeyPairs DeleteKeyPair CreateKeyPair
    CreateTags DeleteTags DescribeTags
    RunInstances TerminateInstances DescribeInstances
    DescribeImages DescribeAvailabilityZones
    ModifyNetworkInterfaceAttribute AssignIpv6Addresses DescribeNetworkInterfaces
    DescribeVolumes`,
  iam: `
    CreateRole GetRole DeleteRole UpdateAssumeRolePolicy
    CreateInstanceProfile GetInstanceProfile DeleteInstanceProfile
    AddRoleToInstanceProfile RemoveRoleFromInstanceProfile
    PutRolePolicy GetRolePolicy DeleteRolePolicy
    ListRolePolicies ListAttachedRolePolicies ListInstanceProfilesForRole`,
  elb: 'DescribeLoadBalancers DescribeTags DeleteLoadBalancer',
  elbv2: `
    DescribeLoadBalancers DescribeTags DescribeTargetGroups DeleteLoadBalancer DeleteTargetGroup`,
  elasticfilesystem: `
    CreateFileSystem DescribeFileSystems DeleteFileSystem ListTagsForResource
    CreateMountTarget DescribeMountTargets DeleteMountTarget`,
  route53: `
    ListHostedZones ChangeResourceRecordSets ListResourceRecordSets GetChange
    CreateHostedZone DeleteHostedZone`,
  s3: `
    GetBucketVersioning PutBucketVersioning CreateBucket DeleteBucket
    PutBucketEncryption PutPublicAccessBlock PutBucketPolicy PutBucketLifecycleConfiguration
    GetObjectLockConfiguration PutObjectLockConfiguration
    ListObjectsV2 ListObjectVersions DeleteObjects PutObjectTagging
    GetObject PutObject DeleteObject`,
  sts: 'AssumeRoleWithWebIdentity GetCallerIdentity',
}

const byName = new Map(createServices().map(service => [service.model.name, service]))

const rows = Object.entries(called).flatMap(([service, names]) =>
  names.split(/\s+/).flatMap(name => (name === '' ? [] : [[service, name] as const])),
)

test.each(rows)('%s: %s exists', (service, name) => {
  expect(byName.get(service)?.handlers).toHaveProperty(name)
})

test.each([...byName])('every operation of %s is an operation of AWS', (_, { model, handlers }) => {
  expect(Object.keys(handlers).filter(name => !model.operations.has(name))).toEqual([])
})
