import { areEqual, type CapabilityDefinition } from '../../../../../shared/contract/machine-capabilities.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import type { StatusImage } from '../config/worker-status.ts'
import { capabilitiesOfStatus } from './find-image.ts'
import { architectureOf, type RegionalImage } from './flavors.ts'

/** The image of a pool. */
export interface PoolImage {
  readonly name: string
  readonly version: string
  readonly image: RegionalImage
}

/**
 * `status.providerStatus`: each image in use once, in the order of the pools, by its architecture, or by its capabilities
 * where the CloudProfile has any (docs/contract/workers-aws.md#workerstatus).
 *
 * @param definitions the capabilities of the CloudProfile; undefined: it has none
 */
export const workerStatusOf = (
  images: readonly PoolImage[],
  definitions: readonly CapabilityDefinition[] | undefined,
): Readonly<Record<string, unknown>> => {
  const isSame = (one: PoolImage, other: PoolImage): boolean =>
    one.name === other.name &&
    one.version === other.version &&
    (definitions === undefined
      ? architectureOf(one.image) === architectureOf(other.image)
      : areEqual(definitions, one.image.capabilities, other.image.capabilities))
  const each = images.filter((image, index) => images.findIndex(other => isSame(other, image)) === index)
  return {
    apiVersion,
    kind: 'WorkerStatus',
    ...(each.length > 0 && {
      machineImages: each.map(({ name, version, image }) => ({
        name,
        version,
        ami: image.ami,
        ...(definitions === undefined
          ? { architecture: architectureOf(image) }
          : { capabilities: image.capabilities }),
      })),
    }),
  }
}

/** The images of a status as those of pools, to be kept in it. */
export const keptImages = (images: readonly StatusImage[]): readonly PoolImage[] =>
  images.map(image => ({
    name: image.name,
    version: image.version,
    image: { ami: image.ami, capabilities: capabilitiesOfStatus(image) },
  }))
