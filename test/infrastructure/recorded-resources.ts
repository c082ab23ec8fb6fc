import type { Ec2Tag } from '../../sandbox/providers/aws/simulator/aws.ts'
import { recordedResources } from '../../sandbox/providers/aws/simulator/ec2/testing/recording.ts'

interface Tagged {
  readonly Tags: readonly Ec2Tag[]
}

interface Permission {
  readonly IpProtocol: string
  readonly FromPort?: number
  readonly ToPort?: number
  readonly IpRanges: { CidrIp: string }[]
  readonly UserIdGroupPairs: { GroupId: string; UserId: string }[]
}

export interface RecordedRoute {
  readonly DestinationCidrBlock: string
  readonly GatewayId?: string
  readonly NatGatewayId?: string
}

/** The source of the EC2 tables: the recorded describe responses for the resources of a shoot, with times as text. */
export interface RecordedResources {
  readonly Vpcs: readonly (Tagged & {
    readonly VpcId: string
    readonly CidrBlockAssociationSet: readonly {
      readonly AssociationId: string
      readonly CidrBlock: string
    }[]
    readonly DhcpOptionsId: string
  })[]
  readonly VpcAttributes: { readonly enableDnsHostnames: boolean; readonly enableDnsSupport: boolean }
  readonly DhcpOptions: readonly (Tagged & {
    readonly DhcpOptionsId: string
    readonly DhcpConfigurations: readonly {
      readonly Key: string
      readonly Values: readonly { readonly Value: string }[]
    }[]
  })[]
  readonly InternetGateways: readonly (Tagged & {
    readonly InternetGatewayId: string
    readonly Attachments: readonly { readonly VpcId: string }[]
  })[]
  readonly Subnets: readonly (Tagged & {
    readonly SubnetId: string
    readonly VpcId: string
    readonly AvailabilityZone: string
    readonly CidrBlock: string
    readonly MapPublicIpOnLaunch: boolean
    readonly AssignIpv6AddressOnCreation: boolean
  })[]
  readonly RouteTables: readonly (Tagged & {
    readonly RouteTableId: string
    readonly VpcId: string
    readonly Routes: readonly RecordedRoute[]
    readonly Associations: readonly {
      readonly RouteTableAssociationId: string
      readonly SubnetId?: string
    }[]
  })[]
  readonly SecurityGroups: readonly (Tagged & {
    readonly GroupId: string
    readonly VpcId: string
    readonly GroupName: string
    readonly Description: string
    readonly IpPermissions: readonly Permission[]
    readonly IpPermissionsEgress: readonly Permission[]
  })[]
  readonly Addresses: readonly (Tagged & { readonly AllocationId: string; readonly PublicIp: string })[]
  readonly NatGateways: readonly (Tagged & {
    readonly NatGatewayId: string
    readonly VpcId: string
    readonly SubnetId: string
    readonly CreateTime: string
    readonly NatGatewayAddresses: readonly {
      readonly AllocationId: string
      readonly AssociationId: string
      readonly NetworkInterfaceId: string
      readonly PublicIp: string
    }[]
  })[]
  readonly VpcEndpoints: readonly (Tagged & {
    readonly VpcEndpointId: string
    readonly VpcId: string
    readonly VpcEndpointType: 'Gateway'
    readonly ServiceName: string
    readonly PolicyDocument: string
    readonly RouteTableIds: readonly string[]
    readonly CreationTimestamp: string
  })[]
  readonly KeyPairs: readonly (Tagged & {
    readonly KeyPairId: string
    readonly KeyName: string
    readonly KeyType: 'rsa'
    readonly KeyFingerprint: string
    readonly CreateTime: string
  })[]
  readonly Role: {
    readonly RoleName: string
    readonly RoleId: string
    readonly Path: string
    readonly CreateDate: string
    readonly MaxSessionDuration: number
    readonly AssumeRolePolicyDocument: object
  }
  /** The policy documents by name. */
  readonly RolePolicies: Readonly<Record<string, object>>
  readonly InstanceProfile: {
    readonly InstanceProfileName: string
    readonly InstanceProfileId: string
    readonly Path: string
    readonly CreateDate: string
    readonly Roles: readonly { readonly RoleName: string }[]
  }
}

/** Resource types that no recording contains. */
const absent = ['EgressOnlyInternetGateways', 'FileSystems', 'Instances', 'MountTargets']

/**
 * Returns the contents of the account after the Go extension created a shoot (`n1`, `n3-s3`). Throws for content that
 * `RecordedResources` omits, so that nothing is lost silently.
 */
export const recordedResourcesOf = (file: string): RecordedResources => {
  const lists = recordedResources(`infrastructure/${file}`)
  for (const list of absent) {
    if (lists[list]?.length !== 0) throw new Error(`${file}: there is no loader for ${list}`)
  }
  // The recordings are fixed, and the loaded data is compared with them.
  return lists as unknown as RecordedResources
}
