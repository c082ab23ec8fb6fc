import type { RunInstancesRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import type { Ec2, ProfileOfIam } from '../../core/context.ts'
import { invalidValue } from '../../core/refusals.ts'
import type { Instance, MetadataOptions } from '../../rows/compute.ts'
import type { InstanceType } from '../types/type-catalogue.ts'

/** "Instance metadata options", `InstanceMetadataOptionsRequest`. */
export const metadataOptions = (wanted: RunInstancesRequest['MetadataOptions']): MetadataOptions => {
  const hopLimit = wanted?.HttpPutResponseHopLimit ?? 1
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
  return { cores, threads, amdSevSnp: wanted?.AmdSevSnp }
}

const checkKnown = (ec2: Ec2, id: string | undefined, code: string, text: (id: string) => string): void => {
  if (id === undefined || Object.hasOwn(ec2.state.references, id)) return
  throw refuse(code, text(id))
}

export const placementOf = (ec2: Ec2, wanted: RunInstancesRequest['Placement']): Instance['placement'] => {
  const { GroupId, GroupName, HostId, Tenancy = 'default', PartitionNumber, Affinity } = wanted ?? {}
  for (const group of [GroupId, GroupName]) {
    checkKnown(ec2, group, 'InvalidPlacementGroup.Unknown', id => `The Placement Group '${id}' is unknown.`)
  }
  checkKnown(ec2, HostId, 'InvalidHostID.NotFound', id => `The host ID '${id}' does not exist.`)
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
  if (Buffer.from(stripped, 'base64').length > largestUserData) {
    throw invalidValue(`User data is limited to ${largestUserData} bytes`)
  }
  return stripped
}
