import {
  areCompatible,
  type CapabilityDefinition,
  type CapabilityValues,
  defaultArchitecture,
  definitionsOf,
  hasCapabilities,
  ofArchitecture,
  preferredOf,
  printed,
} from '../../../../../shared/contract/machine-capabilities.ts'
import type { MachinesProfile } from '../config/cloud-profile.ts'
import type { StatusImage } from '../config/worker-status.ts'
import { flavorsOf, inRegion, type RegionalImage } from './flavors.ts'

/** The criteria for an image. */
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
export const capabilitiesOfStatus = (image: StatusImage): CapabilityValues =>
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
