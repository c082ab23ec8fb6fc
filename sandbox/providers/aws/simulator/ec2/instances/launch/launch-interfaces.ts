import type { InstanceNetworkInterfaceSpecification, RunInstancesRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import type { Ec2 } from '../../core/context.ts'
import { find } from '../../core/describe/find.ts'
import { invalidCombination, invalidParameter, invalidValue } from '../../core/refusals.ts'
import { groupsFor } from '../../network-interfaces/new-interface.ts'
import { attachmentOf } from '../../network-interfaces/view.ts'
import type { NetworkInterface, Subnet } from '../../rows/network.ts'
import { defaultVpc, groupByName } from '../../security-groups/groups.ts'
import { zonesOf } from '../../zones/catalogue.ts'
import type { InstanceType } from '../types/type-catalogue.ts'

/** A network interface of a new instance. */
export interface LaunchInterface {
  readonly specification: InstanceNetworkInterfaceSpecification
  readonly subnet: Subnet
  readonly groupIds: readonly string[] | undefined
  readonly deviceIndex: number
  readonly networkCardIndex: number
  /** An interface that already exists. */
  readonly existing: NetworkInterface | undefined
}

const defaultSubnet = (ec2: Ec2, zone: string | undefined): Subnet => {
  const vpc = defaultVpc(ec2)
  if (!vpc)
    throw refuse(
      'VPCIdNotSpecified',
      'No default VPC for this user. GroupName is only supported for EC2-Classic and default VPC.',
    )
  const subnets = ec2.tables.subnets.by('vpc-id', vpc.id).filter(({ isDefault }) => isDefault)
  const subnet = zone === undefined ? subnets[0] : subnets.find(candidate => candidate.zone === zone)
  if (!subnet) {
    throw refuse('MissingInput', `No subnets found for the default VPC '${vpc.id}'. Please specify a subnet.`)
  }
  return subnet
}

const zoneOf = (ec2: Ec2, placement: RunInstancesRequest['Placement']): string | undefined => {
  const { AvailabilityZone: name, AvailabilityZoneId: id } = placement ?? {}
  if (name === undefined && id === undefined) return undefined
  const zone = zonesOf(ec2.region).find(entry => entry.name === name || entry.id === id)
  if (!zone) throw invalidValue(`Invalid availability zone: [${name ?? id}]`)
  return zone.name
}

const ofSingle = (ec2: Ec2, input: RunInstancesRequest): readonly LaunchInterface[] => {
  const zone = zoneOf(ec2, input.Placement)
  const subnet =
    input.SubnetId === undefined ? defaultSubnet(ec2, zone) : find(ec2, 'subnets', input.SubnetId)
  if (zone !== undefined && subnet.zone !== zone) {
    throw invalidParameter('availabilityZone', zone, `The subnet ${subnet.id} is in ${subnet.zone}.`)
  }
  const groupIds = [
    ...(input.SecurityGroupIds ?? []),
    ...(input.SecurityGroups ?? []).map(name => groupByName(ec2, name).id),
  ]
  groupsFor(ec2, subnet, groupIds)
  const specification: InstanceNetworkInterfaceSpecification = {
    DeleteOnTermination: true,
    PrivateIpAddress: input.PrivateIpAddress,
    Ipv6AddressCount: input.Ipv6AddressCount,
    Ipv6Addresses: input.Ipv6Addresses,
    PrimaryIpv6: input.EnablePrimaryIpv6,
  }
  return [{ specification, subnet, groupIds, deviceIndex: 0, networkCardIndex: 0, existing: undefined }]
}

const existingOf = (ec2: Ec2, id: string | undefined): NetworkInterface | undefined => {
  if (id === undefined) return undefined
  const row = find(ec2, 'networkInterfaces', id)
  if (attachmentOf(ec2, row)) {
    throw refuse('InvalidNetworkInterface.InUse', `Interface: [${row.id}] in use.`)
  }
  return row
}

const ofSpecification = (ec2: Ec2, specification: InstanceNetworkInterfaceSpecification): LaunchInterface => {
  const { DeviceIndex, SubnetId, Groups, NetworkCardIndex = 0 } = specification
  if (DeviceIndex === undefined) throw invalidValue('Each network interface requires a device index.')
  const existing = existingOf(ec2, specification.NetworkInterfaceId)
  const subnet = existing
    ? find(ec2, 'subnets', existing.subnetId)
    : SubnetId === undefined
      ? defaultSubnet(ec2, undefined)
      : find(ec2, 'subnets', SubnetId)
  if (!existing) groupsFor(ec2, subnet, Groups)
  return {
    specification,
    subnet,
    groupIds: Groups,
    deviceIndex: DeviceIndex,
    networkCardIndex: NetworkCardIndex,
    existing,
  }
}

const checkList = (interfaces: readonly LaunchInterface[], type: InstanceType): void => {
  const places = interfaces.map(({ deviceIndex, networkCardIndex }) => `${networkCardIndex}/${deviceIndex}`)
  if (new Set(places).size < places.length) {
    throw invalidValue('Each network interface requires a unique device index.')
  }
  if (!places.includes('0/0')) {
    throw invalidValue('A network interface must be specified for device index 0 of network card 0.')
  }
  if (new Set(interfaces.map(({ subnet }) => subnet.zone)).size > 1) {
    throw invalidCombination('All network interfaces of an instance must be in the same Availability Zone.')
  }
  if (interfaces.length > type.interfaces) {
    throw refuse(
      'AttachmentLimitExceeded',
      `Interface count ${interfaces.length} exceeds the limit for ${type.name}`,
    )
  }
  const card = interfaces.find(({ networkCardIndex }) => networkCardIndex >= type.networkCards)
  if (card) {
    throw invalidValue(`The network card index ${card.networkCardIndex} is not supported on ${type.name}.`)
  }
  const fabric = interfaces.find(({ specification }) => specification.InterfaceType?.startsWith('efa'))
  if (fabric && !type.efa) {
    throw invalidCombination(`EFA interfaces are not supported on ${type.name}.`)
  }
}

/**
 * Returns the interfaces of an instance, primary first.
 *
 * @throws AwsError if parameters contradict each other or name a missing resource
 */
export const launchInterfaces = (
  ec2: Ec2,
  input: RunInstancesRequest,
  type: InstanceType,
): readonly LaunchInterface[] => {
  const list = input.NetworkInterfaces ?? []
  if (list.length === 0) return ofSingle(ec2, input)
  const interfaces = list.map(specification => ofSpecification(ec2, specification))
  checkList(interfaces, type)
  return interfaces.toSorted(
    (a, b) => a.networkCardIndex - b.networkCardIndex || a.deviceIndex - b.deviceIndex,
  )
}
