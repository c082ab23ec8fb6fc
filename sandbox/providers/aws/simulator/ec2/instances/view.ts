import type {
  _InstanceType,
  InstanceNetworkInterface,
  Instance as InstanceOut,
  Reservation,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import { groupIdentifiers, publicAssociation } from '../network-interfaces/view.ts'
import { privateDnsName } from '../public-addresses.ts'
import type { Instance } from '../rows/compute.ts'
import type { NetworkInterface } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { attachmentState, volumeAttachmentOf } from '../volumes/view.ts'
import { zoneId } from '../zones/catalogue.ts'
import { instanceState } from './instance-state.ts'

/** Returns the interfaces of an instance until it is terminated, primary first. */
export const interfacesOf = (ec2: Ec2, row: Instance): readonly NetworkInterface[] =>
  instanceState(ec2, row).name === 'terminated'
    ? []
    : ec2.tables.networkInterfaces
        .by('attachment.instance-id', row.id)
        .toSorted(
          (a, b) =>
            (a.attachment?.networkCardIndex ?? 0) - (b.attachment?.networkCardIndex ?? 0) ||
            (a.attachment?.deviceIndex ?? 0) - (b.attachment?.deviceIndex ?? 0),
        )

/**
 * Returns the public address of a private one. An address of Amazon's pool is hidden while the instance is pending.
 */
const knownAssociation = (ec2: Ec2, instance: Instance, row: NetworkInterface, address: string) => {
  const found = publicAssociation(ec2, row, address)
  const isShown = found?.AllocationId !== undefined || instanceState(ec2, instance).name !== 'pending'
  return isShown ? found : undefined
}

/** Returns `ip-10-0-0-5…` (by address) or `i-0a1b…` (by resource) ("EC2 instance hostname types"). */
export const privateNameOf = (ec2: Ec2, row: Instance): string => {
  const [primary] = interfacesOf(ec2, row)
  const address = primary?.ipv4[0]
  if (row.hostnameType === 'ip-name' && address !== undefined) return privateDnsName(ec2.region, address)
  if (!primary) return ''
  return privateDnsName(ec2.region, row.id).replace(/^ip-/, '')
}

export const publicAddressOf = (ec2: Ec2, row: Instance) => {
  const [primary] = interfacesOf(ec2, row)
  const address = primary?.ipv4[0]
  if (!primary || address === undefined) return undefined
  return knownAssociation(ec2, row, primary, address)
}

const associationView = (ec2: Ec2, instance: Instance, row: NetworkInterface, address: string) => {
  const found = knownAssociation(ec2, instance, row, address)
  return found && { PublicIp: found.PublicIp, PublicDnsName: found.PublicDnsName, IpOwnerId: found.IpOwnerId }
}

const interfaceView = (ec2: Ec2, instance: Instance, row: NetworkInterface): InstanceNetworkInterface => {
  const [primary] = row.ipv4
  const { attachment } = row
  return {
    NetworkInterfaceId: row.id,
    OwnerId: ec2.accountId,
    VpcId: row.vpcId,
    SubnetId: row.subnetId,
    Description: row.description,
    InterfaceType: row.type,
    MacAddress: row.macAddress,
    Status: 'in-use',
    SourceDestCheck: row.sourceDestCheck,
    Groups: groupIdentifiers(ec2, row.groupIds),
    PrivateIpAddress: primary,
    ...(primary === undefined ? {} : { PrivateDnsName: privateDnsName(ec2.region, primary) }),
    PrivateIpAddresses: row.ipv4.map((address, index) => ({
      Primary: index === 0,
      PrivateIpAddress: address,
      PrivateDnsName: privateDnsName(ec2.region, address),
      Association: associationView(ec2, instance, row, address),
    })),
    Association: primary === undefined ? undefined : associationView(ec2, instance, row, primary),
    Ipv6Addresses: row.ipv6.map((address, index) => ({
      Ipv6Address: address,
      IsPrimaryIpv6: row.primaryIpv6 && index === 0,
    })),
    Ipv6Prefixes: row.ipv6Prefixes.map(Ipv6Prefix => ({ Ipv6Prefix })),
    Attachment: attachment && {
      AttachmentId: attachment.id,
      AttachTime: new Date(attachment.at),
      DeleteOnTermination: attachment.deleteOnTermination,
      DeviceIndex: attachment.deviceIndex,
      NetworkCardIndex: attachment.networkCardIndex,
      Status: instanceState(ec2, instance).name === 'pending' ? 'attaching' : 'attached',
    },
  }
}

const userInitiated = (at: number): string =>
  `User initiated (${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} GMT)`

/** Returns the reason why an instance is not running. */
const reasonOf = ({ stoppedAt, terminatedAt }: Instance, isPending: boolean): Partial<InstanceOut> => {
  const at = terminatedAt ?? stoppedAt
  if (at === undefined)
    return isPending
      ? { StateTransitionReason: '', StateReason: { Code: 'pending', Message: 'pending' } }
      : { StateTransitionReason: '' }
  const code = 'Client.UserInitiatedShutdown'
  return {
    StateTransitionReason: userInitiated(at),
    StateReason: { Code: code, Message: `${code}: User initiated shutdown` },
  }
}

/** Returns the fields that an instance has until it is terminated. */
const parts = (ec2: Ec2, row: Instance): Partial<InstanceOut> => {
  const interfaces = interfacesOf(ec2, row)
  const [primary] = interfaces
  const open = publicAddressOf(ec2, row)
  return {
    VpcId: row.vpcId,
    SubnetId: row.subnetId,
    PrivateIpAddress: primary?.ipv4[0],
    Ipv6Address: primary?.ipv6[0],
    PublicIpAddress: open?.PublicIp,
    SecurityGroups: groupIdentifiers(ec2, primary?.groupIds ?? []),
    SourceDestCheck: primary?.sourceDestCheck,
    NetworkInterfaces: interfaces.map(own => interfaceView(ec2, row, own)),
    BlockDeviceMappings: ec2.tables.volumes.by('attachment.instance-id', row.id).flatMap(volume => {
      const attachment = volumeAttachmentOf(ec2, volume)
      if (!attachment) return []
      return {
        DeviceName: attachment.device,
        Ebs: {
          VolumeId: volume.id,
          AttachTime: new Date(attachment.at),
          DeleteOnTermination: attachment.deleteOnTermination,
          Status: attachmentState(ec2, attachment),
        },
      }
    }),
  }
}

const instanceView = (ec2: Ec2, row: Instance): InstanceOut => {
  const state = instanceState(ec2, row)
  const terminated = state.name === 'terminated'
  return {
    InstanceId: row.id,
    ImageId: row.imageId,
    State: { Code: state.code, Name: state.name },
    PrivateDnsName: terminated ? '' : privateNameOf(ec2, row),
    PublicDnsName: publicAddressOf(ec2, row)?.PublicDnsName ?? '',
    ...reasonOf(row, state.name === 'pending'),
    KeyName: row.keyName,
    AmiLaunchIndex: row.launchIndex,
    ProductCodes: [],
    InstanceType: row.instanceType as _InstanceType,
    LaunchTime: new Date(row.startedAt),
    Placement: {
      AvailabilityZone: row.zone,
      AvailabilityZoneId: zoneId(row.zone),
      GroupName: row.placement.groupName ?? '',
      GroupId: row.placement.groupId,
      Tenancy: row.placement.tenancy as 'default',
      HostId: row.placement.hostId,
      Affinity: row.placement.affinity,
      PartitionNumber: row.placement.partition,
    },
    Monitoring: { State: row.monitoring ? 'enabled' : 'disabled' },
    ...(terminated
      ? { NetworkInterfaces: [], SecurityGroups: [], BlockDeviceMappings: [] }
      : parts(ec2, row)),
    Architecture: row.architecture,
    ...(row.bootMode && { BootMode: row.bootMode }),
    ClientToken: row.clientToken,
    EbsOptimized: row.ebsOptimized,
    EnaSupport: true,
    Hypervisor: 'xen',
    IamInstanceProfile: row.instanceProfile && { Arn: row.instanceProfile.arn, Id: row.instanceProfile.id },
    ...(row.spotRequestId === undefined ? {} : { SpotInstanceRequestId: row.spotRequestId }),
    InstanceLifecycle: lifecycleOf(row),
    RootDeviceName: row.rootDeviceName,
    RootDeviceType: 'ebs',
    VirtualizationType: 'hvm',
    PlatformDetails: 'Linux/UNIX',
    UsageOperation: 'RunInstances',
    CpuOptions: {
      CoreCount: row.cpu.cores,
      ThreadsPerCore: row.cpu.threads,
      AmdSevSnp: row.cpu.amdSevSnp as 'enabled' | undefined,
    },
    CapacityReservationId: row.capacityReservation.id,
    CapacityReservationSpecification: {
      CapacityReservationPreference: (row.capacityReservation.preference ?? 'open') as 'open',
      ...(row.capacityReservation.id === undefined && row.capacityReservation.groupArn === undefined
        ? {}
        : {
            CapacityReservationTarget: {
              CapacityReservationId: row.capacityReservation.id,
              CapacityReservationResourceGroupArn: row.capacityReservation.groupArn,
            },
          }),
    },
    HibernationOptions: { Configured: false },
    EnclaveOptions: { Enabled: false },
    MaintenanceOptions: { AutoRecovery: 'default' },
    MetadataOptions: {
      State: state.name === 'pending' ? 'pending' : 'applied',
      HttpTokens: row.metadata.httpTokens,
      HttpPutResponseHopLimit: row.metadata.hopLimit,
      HttpEndpoint: row.metadata.endpoint,
      HttpProtocolIpv6: row.metadata.ipv6,
      InstanceMetadataTags: row.metadata.tags,
    },
    PrivateDnsNameOptions: {
      HostnameType: row.hostnameType,
      EnableResourceNameDnsARecord: row.aRecord,
      EnableResourceNameDnsAAAARecord: row.aaaaRecord,
    },
    Tags: tagsOut(row.tags),
  }
}

/** Returns the purchase option; undefined: on demand. */
export const lifecycleOf = (row: Instance): InstanceOut['InstanceLifecycle'] =>
  row.spotRequestId === undefined ? row.marketType : 'spot'

/** Returns the instances of one launch. */
export const reservationView = (ec2: Ec2, rows: readonly Instance[]): Reservation => ({
  ReservationId: rows[0]?.reservationId,
  OwnerId: ec2.accountId,
  Groups: [],
  Instances: rows.map(row => instanceView(ec2, row)),
})
