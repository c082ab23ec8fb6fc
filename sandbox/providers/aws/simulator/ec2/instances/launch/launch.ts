import type { RunInstancesRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../../service.ts'
import type { Ec2, ProfileOfIam } from '../../core/context.ts'
import { find } from '../../core/describe/find.ts'
import { invalidParameter, invalidValue } from '../../core/refusals.ts'
import { keyPairByName } from '../../key-pairs/key-pairs.ts'
import type { Image, Instance, MetadataOptions } from '../../rows/compute.ts'
import type { Ec2Tag } from '../../rows/resource.ts'
import { tagsByType } from '../../tags/tag-rules.ts'
import { checkSupply } from '../types/supply.ts'
import { type InstanceType, instanceTypeOf } from '../types/type-catalogue.ts'
import { type LaunchVolume, launchVolumes } from './block-devices.ts'
import { type LaunchInterface, launchInterfaces } from './launch-interfaces.ts'
import {
  capacityReservationOf,
  checkUserData,
  cpuOptions,
  metadataOptions,
  placementOf,
  profileOf,
} from './launch-settings.ts'

/** A validated request for instances. */
export interface Launch {
  readonly image: Image
  readonly type: InstanceType
  readonly interfaces: readonly LaunchInterface[]
  readonly volumes: readonly LaunchVolume[]
  readonly keyName: string | undefined
  readonly profile: ProfileOfIam | undefined
  readonly metadata: MetadataOptions
  readonly cpu: Instance['cpu']
  readonly placement: Instance['placement']
  readonly capacityReservation: Instance['capacityReservation']
  readonly userData: string | undefined
  readonly spot: boolean
  readonly marketType: Instance['marketType']
  /** By resource type. */
  readonly tags: ReadonlyMap<string, readonly Ec2Tag[]>
}

const countsOf = ({ MinCount: least = 0, MaxCount: most = 0 }: RunInstancesRequest): void => {
  if (!(least >= 1)) throw invalidParameter('minCount', least, 'It must be at least 1.')
  if (!(most >= least)) {
    throw refuse(
      'InvalidParameterCombination',
      `The minimum count ${least} is above the maximum count ${most}.`,
    )
  }
}

const typeOf = ({ InstanceType: name = 'm1.small' }: RunInstancesRequest): InstanceType => {
  const type = instanceTypeOf(name)
  if (!type) throw invalidValue(`Invalid value '${name}' for InstanceType.`)
  return type
}

const checkArchitecture = (image: Image, type: InstanceType): void => {
  if (image.architecture === type.architecture) return
  throw invalidValue(
    `The architecture '${type.architecture}' of the specified instance type does not match the architecture '${image.architecture}' of the specified AMI. Specify an instance type and an AMI that have matching architectures, and try again. You can use 'describe-instance-types' or 'describe-images' to discover the architecture of the instance type or AMI.`,
  )
}

/** Returns true for a Spot Instance. Only this kind of purchase behaves differently here. */
const isSpot = ({ InstanceMarketOptions: options }: RunInstancesRequest): boolean => {
  const kind: string | undefined = options?.MarketType
  if (kind === undefined || kind === 'spot') return kind === 'spot'
  // A Capacity Block reservation must be named ("Launch instances using Capacity Blocks", EC2 user guide).
  if (kind === 'capacity-block' || kind === 'interruptible-capacity-reservation') return false
  throw invalidParameter('instanceMarketOptions.marketType', kind, 'It is no market type.')
}

const checkVcpus = (ec2: Ec2, type: InstanceType, count: number): void => {
  const limit = ec2.limits.vcpus
  if (limit === undefined) return
  const used = ec2.tables.instances
    .all()
    .filter(row => row.terminatedAt === undefined && row.stoppedAt === undefined && !row.spotRequestId)
    .reduce((sum, row) => sum + (instanceTypeOf(row.instanceType)?.vcpus ?? 0), 0)
  if (used + count * type.vcpus > limit) {
    throw refuse(
      'VcpuLimitExceeded',
      `You have requested more vCPU capacity than your current vCPU limit of ${limit} allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.`,
    )
  }
}

/** @throws AwsError for every request that EC2 would refuse */
export const checkLaunch = (ec2: Ec2, input: RunInstancesRequest): Launch => {
  countsOf(input)
  const image = find(ec2, 'images', input.ImageId)
  const type = typeOf(input)
  checkArchitecture(image, type)
  const tags = tagsByType(input.TagSpecifications, [
    'instance',
    'volume',
    'network-interface',
    'spot-instances-request',
  ])
  const spot = isSpot(input)
  if (!spot) checkVcpus(ec2, type, input.MinCount ?? 1)
  const interfaces = launchInterfaces(ec2, input, type)
  for (const { subnet } of interfaces.slice(0, 1)) checkSupply(ec2, type.name, subnet.zone)
  return {
    image,
    type,
    interfaces,
    volumes: launchVolumes(ec2, image, input.BlockDeviceMappings),
    keyName: input.KeyName === undefined ? undefined : keyPairByName(ec2, input.KeyName).name,
    profile: profileOf(ec2, input.IamInstanceProfile),
    metadata: metadataOptions(input.MetadataOptions),
    cpu: cpuOptions(type, input.CpuOptions),
    placement: placementOf(ec2, input.Placement),
    capacityReservation: capacityReservationOf(ec2, input.CapacityReservationSpecification),
    userData: checkUserData(input.UserData),
    spot,
    marketType: spot ? undefined : (input.InstanceMarketOptions?.MarketType as Instance['marketType']),
    tags,
  }
}
