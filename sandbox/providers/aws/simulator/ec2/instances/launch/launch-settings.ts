import type { RunInstancesRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import type { Ec2, ProfileOfIam } from '../../core/context.ts'
import { invalidCombination, invalidParameter, invalidValue } from '../../core/refusals.ts'
import type { Instance, MetadataOptions } from '../../rows/compute.ts'
import type { InstanceType } from '../types/type-catalogue.ts'

/** "Instance metadata options", `InstanceMetadataOptionsRequest`. */
export const metadataOptions = (wanted: RunInstancesRequest['MetadataOptions']): MetadataOptions => {
  const hopLimit = wanted?.HttpPutResponseHopLimit ?? 1
  if (!(hopLimit >= 1 && hopLimit <= 64)) {
    throw invalidParameter('HttpPutResponseHopLimit', hopLimit, 'It must be between 1 and 64.')
  }
  return {
    httpTokens: wanted?.HttpTokens ?? 'optional',
    hopLimit,
    endpoint: wanted?.HttpEndpoint ?? 'enabled',
    ipv6: wanted?.HttpProtocolIpv6 ?? 'disabled',
    tags: wanted?.InstanceMetadataTags ?? 'disabled',
  }
}

export const cpuOptions = (
  type: InstanceType,
  wanted: RunInstancesRequest['CpuOptions'],
): Instance['cpu'] => {
  const threads = wanted?.ThreadsPerCore ?? type.threadsPerCore
  const cores = wanted?.CoreCount ?? type.vcpus / type.threadsPerCore
  if ((wanted?.CoreCount === undefined) !== (wanted?.ThreadsPerCore === undefined)) {
    throw invalidCombination('CoreCount and ThreadsPerCore must be specified together.')
  }
  if (![1, type.threadsPerCore].includes(threads)) {
    throw invalidValue(`The number of threads per core ${threads} is not supported for ${type.name}.`)
  }
  // `CpuOptionsRequest`, API reference. The error code is not documented.
  if (wanted?.AmdSevSnp === 'enabled' && !/^[cmr]6a\./.test(type.name)) {
    throw invalidCombination(`The instance type ${type.name} does not support AMD SEV-SNP.`)
  }
  if (!(cores >= 1 && cores <= type.vcpus / type.threadsPerCore)) {
    throw invalidValue(`CpuOptions: the core count ${cores} is not valid for ${type.name}.`)
  }
  return { cores, threads, amdSevSnp: wanted?.AmdSevSnp }
}

const checkKnown = (ec2: Ec2, id: string | undefined, code: string, text: (id: string) => string): void => {
  if (id === undefined || Object.hasOwn(ec2.state.references, id)) return
  throw refuse(code, text(id))
}

/**
 * The rules for Dedicated Hosts: "Placement" and "SpotPlacement" of the API reference, and error messages that users
 * report.
 */
const checkHost = (ec2: Ec2, wanted: NonNullable<RunInstancesRequest['Placement']>, spot: boolean): void => {
  const { HostId, Tenancy, Affinity, GroupId, GroupName } = wanted
  if (Tenancy !== 'host') {
    if (HostId !== undefined)
      throw invalidCombination('A host ID can only be specified with the tenancy host.')
    if (Affinity === undefined) return
    throw invalidCombination("The parameter affinity cannot be used without specifying a tenancy of 'host'")
  }
  if (spot) throw invalidCombination('The tenancy host is not supported for Spot Instances.')
  if (GroupId !== undefined || GroupName !== undefined) {
    throw invalidCombination(
      "You cannot launch an instance with a tenancy of 'host' into a placement group. Either remove the placement group from the request, or specify a different tenancy.",
    )
  }
  if (HostId === undefined && !Object.keys(ec2.state.references).some(id => id.startsWith('h-'))) {
    throw refuse(
      'InsufficientHostCapacity',
      'You do not have a host with a matching configuration and sufficient capacity. Either target a host resource group that can automatically allocate hosts on your behalf, or manually allocate a new host to your account and then try again.',
    )
  }
}

export const placementOf = (
  ec2: Ec2,
  wanted: RunInstancesRequest['Placement'],
  spot: boolean,
): Instance['placement'] => {
  const { GroupId, GroupName, HostId, Tenancy = 'default', PartitionNumber, Affinity } = wanted ?? {}
  for (const group of [GroupId, GroupName]) {
    checkKnown(ec2, group, 'InvalidPlacementGroup.Unknown', id => `The Placement Group '${id}' is unknown.`)
  }
  checkKnown(ec2, HostId, 'InvalidHostID.NotFound', id => `The host ID '${id}' does not exist.`)
  checkHost(ec2, wanted ?? {}, spot)
  if (PartitionNumber !== undefined && GroupId === undefined && GroupName === undefined) {
    throw invalidCombination('A partition number can only be specified with a partition placement group.')
  }
  return {
    tenancy: Tenancy,
    groupId: GroupId,
    groupName: GroupName,
    hostId: HostId,
    partition: PartitionNumber,
    affinity: Affinity,
  }
}

export const capacityReservationOf = (
  ec2: Ec2,
  wanted: RunInstancesRequest['CapacityReservationSpecification'],
): Instance['capacityReservation'] => {
  const target = wanted?.CapacityReservationTarget
  const id = target?.CapacityReservationId
  const groupArn = target?.CapacityReservationResourceGroupArn
  if (id !== undefined && groupArn !== undefined) {
    throw invalidCombination(
      'Only one of CapacityReservationId and CapacityReservationResourceGroupArn can be specified.',
    )
  }
  checkKnown(
    ec2,
    id,
    'InvalidCapacityReservationId.NotFound',
    missing => `The capacity reservation ID '${missing}' does not exist`,
  )
  checkKnown(
    ec2,
    groupArn,
    'InvalidParameterValue',
    missing => `The Capacity Reservation resource group '${missing}' does not exist`,
  )
  return { preference: wanted?.CapacityReservationPreference, id, groupArn }
}

const badProfile = (parameter: string, value: string, reason: string) =>
  invalidValue(`Value (${value}) for parameter ${parameter} is invalid. ${reason}`)

export const profileOf = (
  ec2: Ec2,
  wanted: RunInstancesRequest['IamInstanceProfile'],
): ProfileOfIam | undefined => {
  const { Name: name, Arn: arn } = wanted ?? {}
  if (name === undefined && arn === undefined) return undefined
  if (name !== undefined && arn !== undefined) {
    throw invalidCombination(
      "The parameter 'iamInstanceProfile.name' may not be used in combination with 'iamInstanceProfile.arn'",
    )
  }
  const found = ec2.instanceProfile(arn === undefined ? { name: name ?? '' } : { arn })
  if (!found) {
    throw arn === undefined
      ? badProfile('iamInstanceProfile.name', name ?? '', 'Invalid IAM Instance Profile name')
      : badProfile('iamInstanceProfile.arn', arn, 'Invalid IAM Instance Profile ARN')
  }
  if (!found.hasRole) {
    throw invalidValue(`IAM Instance Profile "${found.arn}" has no associated IAM Roles`)
  }
  return found
}

/** "User data is limited to 16 KB, in raw form" (EC2 user guide). */
const largestUserData = 16_384

export const checkUserData = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  const stripped = text.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(stripped) || stripped.length % 4 !== 0) {
    throw invalidValue('Invalid BASE64 encoding of user data.')
  }
  if (Buffer.from(stripped, 'base64').length > largestUserData) {
    throw invalidValue(`User data is limited to ${largestUserData} bytes`)
  }
  return stripped
}
