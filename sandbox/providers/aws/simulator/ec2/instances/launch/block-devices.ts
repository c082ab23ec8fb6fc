import type { BlockDeviceMapping } from '@aws-sdk/client-ec2'
import { refuse, type ServiceError } from '../../../service.ts'
import type { Ec2 } from '../../core/context.ts'
import type { Image } from '../../rows/compute.ts'
import { type VolumeShape, volumeShape } from '../../volumes/volume-shape.ts'

/** A volume of a new instance. */
export interface LaunchVolume {
  readonly device: string
  readonly shape: VolumeShape
  readonly deleteOnTermination: boolean
}

/** "Device names for volumes on Amazon EC2 instances". */
export const checkDeviceName = (name: string | undefined, error: () => ServiceError): string => {
  if (name === undefined || !/^(?:\/dev\/)?(?:sd[a-z]\d{0,2}|xvd[a-z]{1,2}\d?|nvme\d+n1)$/.test(name)) {
    throw error()
  }
  return name
}

const volumeOf = (ec2: Ec2, { DeviceName, Ebs = {} }: BlockDeviceMapping, image: Image): LaunchVolume => {
  const device = checkDeviceName(DeviceName, () =>
    refuse('InvalidBlockDeviceMapping', `Invalid device name ${DeviceName ?? ''}`.trimEnd()),
  )
  const isRoot = device === image.rootDeviceName
  const request = { ...Ebs, Size: Ebs.VolumeSize }
  return {
    device,
    shape: volumeShape(ec2, request, isRoot ? { image, usualType: 'gp3' } : {}),
    deleteOnTermination: Ebs.DeleteOnTermination ?? isRoot,
  }
}

/**
 * Returns the volumes of an instance: the root of its image, as changed by the request, and the volumes that the
 * request adds.
 */
export const launchVolumes = (
  ec2: Ec2,
  image: Image,
  mappings: readonly BlockDeviceMapping[] | undefined,
): readonly LaunchVolume[] => {
  const names = (mappings ?? []).map(({ DeviceName }) => DeviceName)
  const given = (mappings ?? []).flatMap(mapping =>
    mapping.NoDevice === undefined ? volumeOf(ec2, mapping, image) : [],
  )
  if (names.includes(image.rootDeviceName)) return given
  const root = volumeOf(ec2, { DeviceName: image.rootDeviceName, Ebs: {} }, image)
  return [root, ...given]
}
