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
 * Returns `status.providerStatus`: each image in use once, in the order of the pools, with its architecture, or with
 * its capabilities if the CloudProfile defines any (docs/contract/workers-aws.md#workerstatus).
 *
 * @param definitions the capabilities of the CloudProfile; undefined if it has none
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

/** Converts the images of a status to pool images, so that the status retains them. */
export const keptImages = (images: readonly StatusImage[]): readonly PoolImage[] =>
  images.map(image => ({
    name: image.name,
    version: image.version,
    image: { ami: image.ami, capabilities: capabilitiesOfStatus(image) },
  }))
