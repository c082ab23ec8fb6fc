import type { Reservation, RunInstancesRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import type { Ec2 } from '../../core/context.ts'
import { onceByToken } from '../../core/requests/once-by-token.ts'
import { operation } from '../../core/requests/operation.ts'
import { newInterface } from '../../network-interfaces/new-interface.ts'
import { nextPublicAddress } from '../../public-addresses.ts'
import type { Instance } from '../../rows/compute.ts'
import type { Attachment } from '../../rows/network.ts'
import { freeIpv4Count } from '../../subnets/free-addresses.ts'
import { reservationView } from '../view.ts'
import { checkLaunch, type Launch } from './launch.ts'
import type { LaunchInterface } from './launch-interfaces.ts'
import { launchParameters } from './launch-parameters.ts'

const attachmentFor = (ec2: Ec2, instanceId: string, wanted: LaunchInterface): Attachment => ({
  id: ec2.newId('eni-attach'),
  at: ec2.now,
  deviceIndex: wanted.deviceIndex,
  networkCardIndex: wanted.networkCardIndex,
  // By default only the primary interface, if created with the instance, is deleted with it.
  deleteOnTermination:
    wanted.specification.DeleteOnTermination ?? (!wanted.existing && wanted.deviceIndex === 0),
  instanceId,
  ownerId: ec2.accountId,
})

const wantsPublicIp = ({ specification, subnet, deviceIndex }: LaunchInterface, only: boolean): boolean =>
  specification.AssociatePublicIpAddress ?? (only && deviceIndex === 0 && subnet.mapPublicIp)

const attach = (ec2: Ec2, launch: Launch, instanceId: string, wanted: LaunchInterface): void => {
  const attachment = attachmentFor(ec2, instanceId, wanted)
  if (wanted.existing) {
    ec2.tables.networkInterfaces.put({ ...wanted.existing, attachment })
    return
  }
  const { specification, subnet } = wanted
  const first = specification.PrivateIpAddress
  const others = specification.PrivateIpAddresses?.flatMap(({ PrivateIpAddress }) => PrivateIpAddress ?? [])
  const isPublic = wantsPublicIp(wanted, launch.interfaces.length === 1) && subnet.cidr !== undefined
  newInterface(ec2, {
    subnet,
    groupIds: wanted.groupIds,
    description: specification.Description,
    type: specification.InterfaceType,
    tags: launch.tags.get('network-interface') ?? [],
    ipv4: [...(first === undefined ? [] : [first]), ...(others ?? [])],
    secondaryIpv4Count: specification.SecondaryPrivateIpAddressCount,
    ipv6: specification.Ipv6Addresses?.flatMap(({ Ipv6Address }) => Ipv6Address ?? []),
    ipv6Count: specification.Ipv6AddressCount,
    ipv6Prefixes: specification.Ipv6Prefixes?.flatMap(({ Ipv6Prefix }) => Ipv6Prefix ?? []),
    ipv6PrefixCount: specification.Ipv6PrefixCount,
    primaryIpv6: specification.PrimaryIpv6,
    attachment,
    publicIp: isPublic ? nextPublicAddress(ec2) : undefined,
  })
}

const addVolumes = (ec2: Ec2, launch: Launch, instance: Instance): void => {
  for (const { device, shape, deleteOnTermination } of launch.volumes) {
    ec2.tables.volumes.put({
      ...ec2.newResource('vol', launch.tags.get('volume') ?? []),
      ...shape,
      zone: instance.zone,
      attachment: { instanceId: instance.id, device, at: ec2.now, deleteOnTermination },
    })
  }
}

const start = (
  ec2: Ec2,
  launch: Launch,
  input: RunInstancesRequest,
  reservationId: string,
  launchIndex: number,
): string => {
  const resource = ec2.newResource('i', launch.tags.get('instance') ?? [])
  for (const wanted of launch.interfaces) attach(ec2, launch, resource.id, wanted)
  const [primary] = launch.interfaces
  if (!primary) throw new TypeError('an instance without an interface')
  const { subnet } = primary
  const row: Instance = {
    ...resource,
    reservationId,
    launchIndex,
    imageId: launch.image.id,
    architecture: launch.image.architecture,
    bootMode: launch.image.bootMode,
    instanceType: launch.type.name,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    zone: subnet.zone,
    keyName: launch.keyName,
    clientToken: input.ClientToken ?? '',
    userData: launch.userData,
    rootDeviceName: launch.image.rootDeviceName,
    instanceProfile: launch.profile && { arn: launch.profile.arn, id: launch.profile.id },
    metadata: launch.metadata,
    cpu: launch.cpu,
    placement: launch.placement,
    capacityReservation: launch.capacityReservation,
    marketType: launch.marketType,
    spotRequestId: launch.spot ? `sir-${resource.id.slice(-8)}` : undefined,
    hostnameType: input.PrivateDnsNameOptions?.HostnameType ?? subnet.hostnameType,
    aRecord: input.PrivateDnsNameOptions?.EnableResourceNameDnsARecord ?? subnet.aRecord,
    aaaaRecord: input.PrivateDnsNameOptions?.EnableResourceNameDnsAAAARecord ?? subnet.aaaaRecord,
    ebsOptimized: input.EbsOptimized ?? false,
    monitoring: input.Monitoring?.Enabled ?? false,
    terminationProtected: input.DisableApiTermination ?? false,
    ...(input.DisableApiStop && { stopProtected: true }),
    shutdownBehavior: input.InstanceInitiatedShutdownBehavior ?? 'stop',
    startedAt: ec2.now,
  }
  ec2.tables.instances.put(row)
  addVolumes(ec2, launch, row)
  return row.id
}

/** Returns the number of instances that fit, between the requested minimum and maximum. */
const countOf = (
  ec2: Ec2,
  { interfaces }: Launch,
  { MinCount = 1, MaxCount = 1 }: RunInstancesRequest,
): number => {
  const [primary] = interfaces
  if (!primary || primary.existing || primary.subnet.cidr === undefined) return MaxCount
  const room = freeIpv4Count(ec2, primary.subnet)
  if (room < MinCount) {
    throw refuse(
      'InsufficientFreeAddressesInSubnet',
      `There are not enough free addresses in subnet '${primary.subnet.id}' to satisfy the requested number of instances.`,
    )
  }
  return Math.min(room, MaxCount)
}

const run = (ec2: Ec2, input: RunInstancesRequest): readonly string[] => {
  const launch = checkLaunch(ec2, input)
  const count = countOf(ec2, launch, input)
  const reservationId = ec2.newId('r')
  return Array.from({ length: count }, (_, index) => start(ec2, launch, input, reservationId, index))
}

export const runInstancesOperations = {
  RunInstances: operation<RunInstancesRequest, Reservation>(launchParameters, (input, ec2) => {
    const { ids, repeated } = onceByToken(ec2, 'RunInstances', input, () => run(ec2, input))
    const rows = ids.flatMap(id => ec2.tables.instances.get(id) ?? [])
    // "IdempotentInstanceTerminated", EC2 API reference.
    if (repeated && rows.every(({ terminatedAt }) => terminatedAt !== undefined)) {
      throw refuse(
        'IdempotentInstanceTerminated',
        'The request to launch an instance uses the same client token as a previous request for which the instance has been terminated.',
      )
    }
    return reservationView(ec2, rows)
  }),
}
