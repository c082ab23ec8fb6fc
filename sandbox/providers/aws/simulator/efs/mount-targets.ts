import type {
  CreateMountTargetRequest,
  DeleteMountTargetRequest,
  DescribeMountTargetsRequest,
  DescribeMountTargetsResponse,
  ModifyMountTargetSecurityGroupsRequest,
  MountTargetDescription,
} from '@aws-sdk/client-efs'
import { isVisible } from '../ec2/core/describe/find.ts'
import {
  createServiceInterface,
  deleteServiceInterface,
  ec2Of,
  setServiceInterfaceGroups,
} from '../ec2/network-interfaces.ts'
import { zoneId } from '../ec2/zones/catalogue.ts'
import { ServiceError } from '../service.ts'
import { refuseEfs } from './refusals.ts'
import {
  type EfsCall,
  fileSystemState,
  findFileSystem,
  findMountTarget,
  mountTargetState,
  pageOf,
  sweep,
  targetsOf,
} from './region.ts'
import type { EfsDurations } from './settings.ts'
import type { FileSystem, MountTarget } from './state.ts'

const describe = (
  target: MountTarget,
  durations: EfsDurations,
  { principal, clock }: EfsCall,
): MountTargetDescription => ({
  OwnerId: principal.accountId,
  MountTargetId: target.id,
  FileSystemId: target.fileSystemId,
  SubnetId: target.subnetId,
  LifeCycleState: mountTargetState(target, durations, clock.now()),
  ...(target.ip === undefined ? {} : { IpAddress: target.ip }),
  ...(target.ipv6 === undefined ? {} : { Ipv6Address: target.ipv6 }),
  NetworkInterfaceId: target.interfaceId,
  AvailabilityZoneId: zoneId(target.zone),
  AvailabilityZoneName: target.zone,
  VpcId: target.vpcId,
})

const incorrectState = (fileSystem: FileSystem, state: string) =>
  refuseEfs(
    'IncorrectFileSystemLifeCycleState',
    `File system '${fileSystem.id}' is not in the 'available' state, but '${state}'.`,
  )

/** All mount targets must be in one VPC, at most one per zone ("CreateMountTarget", API reference). */
const checkConflict = (
  fileSystem: FileSystem,
  { vpcId, zone }: { readonly vpcId: string; readonly zone: string },
  call: EfsCall,
): void => {
  const others = targetsOf(call, fileSystem)
  if (others.some(other => other.zone === zone)) {
    throw refuseEfs('MountTargetConflict', 'mount target already exists in this AZ')
  }
  if (others.some(other => other.vpcId !== vpcId)) {
    throw refuseEfs(
      'MountTargetConflict',
      'requested subnet for new mount target is not in the same VPC as existing mount targets',
    )
  }
}

const checkGroups = (ids: readonly string[], vpcId: string, call: EfsCall): void => {
  if (ids.length > 5) {
    throw refuseEfs('SecurityGroupLimitExceeded', 'The maximum number of security groups is 5.')
  }
  const ec2 = ec2Of(call)
  const missing = ids.find(id => {
    const group = ec2.tables.securityGroups.get(id)
    return group?.vpcId !== vpcId || !isVisible(ec2, group)
  })
  if (missing !== undefined) {
    throw refuseEfs(
      'SecurityGroupNotFound',
      `One of the specified security groups does not exist: ${missing}`,
    )
  }
}

/** Maps EC2's errors to those of EFS. */
const translated: Readonly<Record<string, readonly [code: string, message: string]>> = {
  InsufficientFreeAddressesInSubnet: [
    'NoFreeAddressesInSubnet',
    'The specified subnet does not have enough free addresses.',
  ],
  'InvalidIPAddress.InUse': ['IpAddressInUse', 'The specified IP address is already in use.'],
  NetworkInterfaceLimitExceeded: [
    'NetworkInterfaceLimitExceeded',
    'The account has reached its limit of network interfaces.',
  ],
}

const inWordsOfEfs = (error: unknown): unknown => {
  if (!(error instanceof ServiceError)) return error
  const [code, message] = translated[error.wire.code] ?? ['BadRequest', error.wire.message]
  return refuseEfs(code, message)
}

export const createMountTarget =
  (durations: EfsDurations) =>
  (input: CreateMountTargetRequest, call: EfsCall): MountTargetDescription => {
    sweep(call, durations)
    const fileSystem = findFileSystem(call, input.FileSystemId)
    const state = fileSystemState(fileSystem, durations, call.clock.now())
    if (state !== 'available') throw incorrectState(fileSystem, state)
    const ec2 = ec2Of(call)
    const subnet = ec2.tables.subnets.get(input.SubnetId ?? '')
    if (!subnet || !isVisible(ec2, subnet)) {
      throw refuseEfs('SubnetNotFound', `The subnet ID '${input.SubnetId}' does not exist`)
    }
    checkConflict(fileSystem, subnet, call)
    checkGroups(input.SecurityGroups ?? [], subnet.vpcId, call)
    const family = input.IpAddressType ?? 'IPV4_ONLY'
    const id = `fsmt-${call.newId(17, '0123456789abcdef')}`
    try {
      const made = createServiceInterface(ec2, {
        subnetId: subnet.id,
        groupIds: input.SecurityGroups,
        description: `EFS mount target for ${fileSystem.id} (${id})`,
        requester: 'amazon-elasticfilesystem',
        ipv6Count: family === 'IPV4_ONLY' ? 0 : 1,
        privateIp: input.IpAddress,
      })
      const target: MountTarget = {
        id,
        fileSystemId: fileSystem.id,
        subnetId: subnet.id,
        vpcId: subnet.vpcId,
        zone: subnet.zone,
        ip: family === 'IPV6_ONLY' ? undefined : made.ipv4[0],
        ipv6: made.ipv6[0],
        interfaceId: made.id,
        groupIds: made.groupIds,
        createdAt: call.clock.now(),
        deletedAt: undefined,
      }
      call.state.mountTargets = [...call.state.mountTargets, target]
      return describe(target, durations, call)
    } catch (error) {
      throw inWordsOfEfs(error)
    }
  }

export const describeMountTargets =
  (durations: EfsDurations) =>
  (input: DescribeMountTargetsRequest, call: EfsCall): DescribeMountTargetsResponse => {
    sweep(call, durations)
    const { FileSystemId, MountTargetId } = input
    if ((FileSystemId === undefined) === (MountTargetId === undefined)) {
      throw refuseEfs(
        'BadRequest',
        'Exactly one of FileSystemId, MountTargetId or AccessPointId must be specified.',
      )
    }
    const found =
      MountTargetId === undefined
        ? targetsOf(call, findFileSystem(call, FileSystemId))
        : [findMountTarget(call, MountTargetId)]
    const { page, markers } = pageOf(found, input)
    return { ...markers, MountTargets: page.map(target => describe(target, durations, call)) }
  }

/** The interface of a mount target holds subnet and groups until the deletion is complete. */
export const deleteMountTarget =
  (durations: EfsDurations) =>
  (input: DeleteMountTargetRequest, call: EfsCall): object => {
    sweep(call, durations)
    const target = findMountTarget(call, input.MountTargetId)
    if (target.deletedAt !== undefined) return {}
    const now = call.clock.now()
    target.deletedAt = now
    deleteServiceInterface(ec2Of(call), target.interfaceId, now + durations.mountTargetDeleted)
    return {}
  }

const availableTarget = (durations: EfsDurations, id: string | undefined, call: EfsCall): MountTarget => {
  sweep(call, durations)
  const target = findMountTarget(call, id)
  const state = mountTargetState(target, durations, call.clock.now())
  if (state === 'available') return target
  throw refuseEfs(
    'IncorrectMountTargetState',
    `Mount target '${target.id}' is not in the 'available' state, but '${state}'.`,
  )
}

export const modifyMountTargetSecurityGroups =
  (durations: EfsDurations) =>
  (input: ModifyMountTargetSecurityGroupsRequest, call: EfsCall): object => {
    const target = availableTarget(durations, input.MountTargetId, call)
    const groups = input.SecurityGroups ?? []
    checkGroups(groups, target.vpcId, call)
    target.groupIds = [...groups]
    setServiceInterfaceGroups(ec2Of(call), target.interfaceId, groups)
    return {}
  }
