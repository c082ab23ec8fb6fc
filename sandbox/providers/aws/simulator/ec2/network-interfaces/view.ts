import type {
  NetworkInterfaceAssociation,
  NetworkInterface as NetworkInterfaceOut,
} from '@aws-sdk/client-ec2'
import { elasticAddressOf } from '../addresses/association.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { privateDnsName, publicDnsName } from '../public-addresses.ts'
import type { Attachment, NetworkInterface } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { zoneId } from '../zones/catalogue.ts'

/** Returns the attachment while it exists. */
export const attachmentOf = (ec2: Pick<Ec2, 'now'>, row: NetworkInterface): Attachment | undefined =>
  row.attachment?.until !== undefined && ec2.now >= row.attachment.until ? undefined : row.attachment

const hasPublicDns = (ec2: Ec2, vpcId: string): boolean => ec2.tables.vpcs.get(vpcId)?.dnsHostnames ?? false

/**
 * Returns the address of Amazon's pool. It is released while the instance is stopped ("Public IPv4 addresses", EC2 user
 * guide).
 */
const pooledAddress = (ec2: Ec2, row: NetworkInterface): string | undefined => {
  const instance = ec2.tables.instances.get(row.attachment?.instanceId ?? '')
  return instance?.stoppedAt === undefined ? row.publicIp : undefined
}

/** Returns the public address of a private one: an elastic one, or one of Amazon's pool. */
export const publicAssociation = (
  ec2: Ec2,
  row: NetworkInterface,
  privateIp: string,
): NetworkInterfaceAssociation | undefined => {
  const elastic = elasticAddressOf(ec2, row, privateIp)
  const publicIp = elastic?.publicIp ?? (privateIp === row.ipv4[0] ? pooledAddress(ec2, row) : undefined)
  if (publicIp === undefined) return undefined
  return {
    PublicIp: publicIp,
    PublicDnsName: hasPublicDns(ec2, row.vpcId) ? publicDnsName(ec2.region, publicIp) : '',
    IpOwnerId: elastic ? ec2.accountId : 'amazon',
    ...(elastic ? { AllocationId: elastic.id, AssociationId: elastic.association.id } : {}),
  }
}

export const groupIdentifiers = (ec2: Ec2, ids: readonly string[]) =>
  ids.map(id => ({ GroupId: id, GroupName: ec2.tables.securityGroups.get(id)?.name }))

export const interfaceView = (ec2: Ec2, row: NetworkInterface): NetworkInterfaceOut => {
  const attachment = attachmentOf(ec2, row)
  const [primary] = row.ipv4
  return {
    NetworkInterfaceId: row.id,
    OwnerId: ec2.accountId,
    VpcId: row.vpcId,
    SubnetId: row.subnetId,
    AvailabilityZone: row.zone,
    AvailabilityZoneId: zoneId(row.zone),
    Description: row.description,
    Groups: groupIdentifiers(ec2, row.groupIds),
    InterfaceType: row.type as 'interface',
    MacAddress: row.macAddress,
    PrivateIpAddress: primary,
    ...(primary === undefined ? {} : { PrivateDnsName: privateDnsName(ec2.region, primary) }),
    PrivateIpAddresses: row.ipv4.map((address, index) => ({
      PrivateIpAddress: address,
      PrivateDnsName: privateDnsName(ec2.region, address),
      Primary: index === 0,
      Association: publicAssociation(ec2, row, address),
    })),
    Association: primary === undefined ? undefined : publicAssociation(ec2, row, primary),
    Ipv6Addresses: row.ipv6.map((address, index) => ({
      Ipv6Address: address,
      IsPrimaryIpv6: row.primaryIpv6 && index === 0,
    })),
    Ipv6Address: row.ipv6[0],
    Ipv6Prefixes: row.ipv6Prefixes.map(Ipv6Prefix => ({ Ipv6Prefix })),
    RequesterId: row.requester,
    RequesterManaged: row.requester !== undefined,
    SourceDestCheck: row.sourceDestCheck,
    Status: attachment ? 'in-use' : 'available',
    ...(attachment
      ? {
          Attachment: {
            AttachmentId: attachment.id,
            AttachTime: new Date(attachment.at),
            DeleteOnTermination: attachment.deleteOnTermination,
            DeviceIndex: attachment.deviceIndex,
            NetworkCardIndex: attachment.networkCardIndex,
            InstanceId: attachment.instanceId,
            InstanceOwnerId: attachment.ownerId,
            Status: 'attached',
          },
        }
      : {}),
    TagSet: tagsOut(row.tags),
  }
}

export const interfaceFields = (ec2: Ec2): FilterFields<NetworkInterface> => ({
  'addresses.private-ip-address': row => row.ipv4,
  'addresses.association.public-ip': row =>
    row.ipv4.flatMap(address => publicAssociation(ec2, row, address)?.PublicIp ?? []),
  'association.allocation-id': row =>
    row.ipv4.flatMap(address => elasticAddressOf(ec2, row, address)?.id ?? []),
  'association.association-id': row =>
    row.ipv4.flatMap(address => elasticAddressOf(ec2, row, address)?.association.id ?? []),
  'association.public-ip': row => publicAssociation(ec2, row, row.ipv4[0] ?? '')?.PublicIp,
  'attachment.attachment-id': row => attachmentOf(ec2, row)?.id,
  'attachment.device-index': row => attachmentOf(ec2, row)?.deviceIndex,
  'attachment.delete-on-termination': row => attachmentOf(ec2, row)?.deleteOnTermination,
  'attachment.instance-id': row => attachmentOf(ec2, row)?.instanceId,
  'attachment.instance-owner-id': row => attachmentOf(ec2, row)?.ownerId,
  'attachment.status': row => (attachmentOf(ec2, row) ? 'attached' : undefined),
  'availability-zone': row => row.zone,
  description: row => row.description,
  'group-id': row => row.groupIds,
  'group-name': row => groupIdentifiers(ec2, row.groupIds).flatMap(({ GroupName }) => GroupName ?? []),
  'interface-type': row => row.type,
  'ipv6-addresses.ipv6-address': row => row.ipv6,
  'mac-address': row => row.macAddress,
  'network-interface-id': row => row.id,
  'owner-id': () => ec2.accountId,
  'private-ip-address': row => row.ipv4[0],
  'private-dns-name': row => (row.ipv4[0] ? privateDnsName(ec2.region, row.ipv4[0]) : undefined),
  'requester-id': row => row.requester,
  'requester-managed': row => row.requester !== undefined,
  'source-dest-check': row => row.sourceDestCheck,
  status: row => (attachmentOf(ec2, row) ? 'in-use' : 'available'),
  'subnet-id': row => row.subnetId,
  'vpc-id': row => row.vpcId,
})
