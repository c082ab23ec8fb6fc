import {
  architecture,
  areCompatible,
  areEqual,
  type CapabilityDefinition,
  type CapabilityValues,
  defaultArchitecture,
  definitionsOf,
  hasCapabilities,
  ofArchitecture,
  preferredOf,
  printed,
} from '../../../../../shared/contract/machine-capabilities.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import type { AmiVersion, MachinesProfile } from '../config/cloud-profile.ts'
import type { StatusImage } from '../config/worker-status.ts'

export interface ImageRequest {
  readonly name: string
  readonly version: string
  readonly region: string
  readonly machine: CapabilityValues
  /** The pool's architecture. Default: amd64. */
  readonly architecture: string
}

/** An image, or the user's error message if there is none: the Go extension's text, then the reason. */
export type FoundImage =
  | { readonly ok: true; readonly image: RegionalImage }
  | { readonly ok: false; readonly message: string }

/**
 * Returns the AMI of a pool (docs/contract/workers-aws.md#images): from the CloudProfile, or the one that the Worker
 * already uses if the CloudProfile no longer has it.
 *
 * @param imagesInUse returns the images of `status.providerStatus`; called only if the CloudProfile has none; undefined
 *   if the Worker has none
 */
export const findImage = (
  profile: MachinesProfile,
  imagesInUse: () => readonly StatusImage[] | undefined,
  request: ImageRequest,
): FoundImage => {
  const definitions = definitionsOf(profile)
  const offered = inRegion(flavorsOf(profile, request), request.region)
  const fitting = offered.filter(({ capabilities }) =>
    areCompatible(definitions, request.machine, capabilities),
  )
  const [best, ...equal] = preferredOf(definitions, fitting)
  if (best !== undefined && equal.length === 0) return { ok: true, image: best }
  const inUse = imagesInUse()
  const kept = inUse?.find(image => suits(definitions, hasCapabilities(profile), image, request))
  if (kept !== undefined)
    return { ok: true, image: { ami: kept.ami, capabilities: capabilitiesOfStatus(kept) } }
  const why = best === undefined ? whyNone(profile, request, offered) : ambiguous([best, ...equal])
  return { ok: false, message: `${said(profile, inUse, request)}: ${why}` }
}

/** The architecture defaults to amd64. An image only fits machines of its own architecture. */
const suits = (
  definitions: readonly CapabilityDefinition[],
  byCapabilities: boolean,
  image: StatusImage,
  { name, version, machine, architecture }: ImageRequest,
): boolean => {
  if (image.name !== name || image.version !== version) return false
  return byCapabilities
    ? areCompatible(definitions, machine, capabilitiesOfStatus(image))
    : architectureIn(image) === architecture
}

/** Returns the capabilities of an image in use. Without any, it is for amd64. */
const capabilitiesOfStatus = (image: StatusImage): CapabilityValues =>
  image.capabilities ?? ofArchitecture(image.architecture || defaultArchitecture)

const architectureIn = ({ architecture, capabilities }: StatusImage): string =>
  architecture || (capabilities?.architecture?.[0] ?? defaultArchitecture)

/** The Go extension's text. */
const said = (
  profile: MachinesProfile,
  inUse: readonly StatusImage[] | undefined,
  { name, version, architecture, region, machine }: ImageRequest,
): string => {
  if (inUse === undefined)
    return `could not find machine image for ${name}/${version}/${architecture}/${region} neither in cloud profile nor in worker status`
  const what = hasCapabilities(profile)
    ? `capabilities ${printed(machine)}`
    : `architecture ${JSON.stringify(architecture)}`
  return `no machine image found for image ${JSON.stringify(name)} with version ${JSON.stringify(version)} and ${what}`
}

const ambiguous = (images: readonly RegionalImage[]): string =>
  `${images.map(({ ami }) => ami).join(' and ')} of the cloud profile match equally well`

const whyNone = (
  { providerConfig }: MachinesProfile,
  { name, version, region, machine }: ImageRequest,
  offered: readonly RegionalImage[],
): string => {
  const named = (providerConfig?.machineImages ?? []).filter(image => image.name === name)
  if (named.length === 0) return 'the cloud profile has no AMIs of an image with this name'
  const versions = named.flatMap(image => image.versions ?? [])
  if (!versions.some(known => known.version === version))
    return 'the cloud profile has no AMIs of this version of the image'
  if (offered.length === 0) return `the cloud profile has no AMI of it in ${region}`
  const those = offered.map(({ ami, capabilities }) => `${ami} with ${printed(capabilities)}`).join(', ')
  return `the cloud profile has ${those}, but the machine has ${printed(machine)}`
}

/** One of the machine images of a version, and its AMI in each region. */
export interface Flavor {
  readonly capabilities: CapabilityValues
  readonly regions: readonly { readonly name: string; readonly ami: string }[]
}

interface RegionalImage {
  readonly capabilities: CapabilityValues
  readonly ami: string
}

/** Returns all flavors that a CloudProfile has for a name and an exactly equal version, from all matching entries. */
const flavorsOf = (
  { providerConfig }: MachinesProfile,
  image: { readonly name: string; readonly version: string },
): readonly Flavor[] =>
  (providerConfig?.machineImages ?? [])
    .filter(({ name }) => name === image.name)
    .flatMap(({ versions }) => (versions ?? []).filter(({ version }) => version === image.version))
    .flatMap(flavorsOfVersion)

/** A version with flavors, or an older one without, which has one flavor for each architecture. */
const flavorsOfVersion = ({ regions, capabilityFlavors }: AmiVersion): readonly Flavor[] => {
  const flavors = capabilityFlavors ?? []
  if (flavors.length > 0)
    return flavors.map(flavor => ({
      capabilities: flavor.capabilities ?? {},
      regions: flavor.regions ?? [],
    }))
  const byArchitecture = Map.groupBy(regions ?? [], region => region.architecture ?? defaultArchitecture)
  return [...byArchitecture].map(([value, those]) => ({
    capabilities: ofArchitecture(value),
    regions: those,
  }))
}

/** The last entry of a region takes effect. */
const inRegion = (flavors: readonly Flavor[], region: string): readonly RegionalImage[] =>
  flavors.flatMap(({ capabilities, regions }) => {
    const here = regions.findLast(({ name }) => name === region)
    return here === undefined ? [] : [{ capabilities, ami: here.ami }]
  })

/** Returns the architecture of an image; the first of several. */
const architectureOf = ({ capabilities }: Pick<RegionalImage, 'capabilities'>): string =>
  capabilities[architecture]?.[0] ?? defaultArchitecture

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
export const retainedImages = (images: readonly StatusImage[]): readonly PoolImage[] =>
  images.map(image => ({
    name: image.name,
    version: image.version,
    image: { ami: image.ami, capabilities: capabilitiesOfStatus(image) },
  }))
