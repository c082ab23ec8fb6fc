import type { RunInstancesCommandInput, TagSpecification } from '@aws-sdk/client-ec2'
import type { ProviderSpec } from './provider-spec.ts'

export interface MachineToRun {
  /** The name of the Machine. Instances are found by it. */
  readonly name: string
  readonly spec: ProviderSpec
  readonly userData: string
  /** The root device of the image. */
  readonly rootDeviceName: string
  /** A repeated call with the same token creates no second instance. */
  readonly clientToken: string
}

const tagsOf = ({ name, spec }: MachineToRun): TagSpecification[] => {
  const Tags = Object.entries({ ...spec.tags, Name: name }).map(([Key, Value]) => ({ Key, Value }))
  return (['instance', 'volume', 'network-interface'] as const).map(ResourceType => ({ ResourceType, Tags }))
}

const blockDevices = ({ spec, rootDeviceName }: MachineToRun) =>
  spec.blockDevices.map(({ deviceName, ebs }) => ({
    DeviceName: deviceName === '/root' || spec.blockDevices.length === 1 ? rootDeviceName : deviceName,
    Ebs: {
      Encrypted: ebs.encrypted ?? false,
      VolumeSize: ebs.volumeSize,
      VolumeType: ebs.volumeType as 'gp3' | undefined,
      DeleteOnTermination: ebs.deleteOnTermination ?? true,
      Iops: ebs.iops,
      Throughput: ebs.throughput,
      SnapshotId: ebs.snapshotID,
    },
  }))

const interfaces = ({ spec }: MachineToRun) =>
  spec.networkInterfaces.map((own, index) => ({
    DeviceIndex: own.deviceIndex ?? index,
    NetworkCardIndex: own.networkCardIndex,
    InterfaceType: own.interfaceType,
    AssociatePublicIpAddress: own.associatePublicIPAddress,
    DeleteOnTermination: own.deleteOnTermination ?? true,
    Description: own.description,
    SubnetId: own.subnetID,
    Groups: [...own.securityGroupIDs],
    ...(own.ipv6AddressCount !== undefined && {
      Ipv6AddressCount: own.ipv6AddressCount,
      PrimaryIpv6: true,
    }),
  }))

const settings = ({ spec }: MachineToRun) => {
  const { instanceMetadataOptions: metadata, cpuOptions, placement, instanceMarketOptions } = spec
  const hasCounts = cpuOptions?.coreCount !== undefined && cpuOptions.threadsPerCore !== undefined
  return {
    MetadataOptions: metadata && {
      HttpEndpoint: metadata.httpEndpoint as 'enabled' | undefined,
      HttpTokens: metadata.httpTokens as 'required' | undefined,
      HttpPutResponseHopLimit: metadata.httpPutResponseHopLimit,
      HttpProtocolIpv6: metadata.httpProtocolIpv6 as 'enabled' | undefined,
    },
    CpuOptions: cpuOptions && {
      ...(hasCounts && { CoreCount: cpuOptions.coreCount, ThreadsPerCore: cpuOptions.threadsPerCore }),
      AmdSevSnp: cpuOptions.amdSevSnp as 'enabled' | undefined,
    },
    InstanceMarketOptions: instanceMarketOptions && {
      MarketType: instanceMarketOptions.marketType as 'spot' | undefined,
    },
    Placement: placement && {
      GroupId: placement.groupId,
      Tenancy: placement.tenancy as 'default' | undefined,
      HostId: placement.hostId,
      PartitionNumber: placement.partitionNumber,
      Affinity: placement.affinity,
    },
  }
}

const reservation = ({ spec: { capacityReservation } }: MachineToRun) => {
  if (capacityReservation === undefined) return undefined
  const {
    capacityReservationId: id,
    capacityReservationResourceGroupArn: arn,
    capacityReservationPreference,
  } = capacityReservation
  return {
    CapacityReservationPreference: capacityReservationPreference as 'open' | undefined,
    ...((id !== undefined || arn !== undefined) && {
      CapacityReservationTarget: {
        CapacityReservationId: id,
        CapacityReservationResourceGroupArn: arn,
      },
    }),
  }
}

/** Returns the RunInstances input for one machine, as the driver of the machine-controller-manager sends it. */
export const runInput = (machine: MachineToRun): RunInstancesCommandInput => {
  const { spec } = machine
  const profile = spec.iam?.name ? { Name: spec.iam.name } : spec.iam?.arn ? { Arn: spec.iam.arn } : undefined
  return {
    ImageId: spec.ami,
    InstanceType: spec.machineType as 'm5.large',
    MinCount: 1,
    MaxCount: 1,
    ClientToken: machine.clientToken,
    UserData: Buffer.from(machine.userData).toString('base64'),
    KeyName: spec.keyName || undefined,
    IamInstanceProfile: profile,
    BlockDeviceMappings: blockDevices(machine),
    NetworkInterfaces: interfaces(machine),
    TagSpecifications: tagsOf(machine),
    CapacityReservationSpecification: reservation(machine),
    ...settings(machine),
  }
}
