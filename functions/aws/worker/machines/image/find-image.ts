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

/** What is looked for. */
export interface ImageRequest {
  readonly name: string
  readonly version: string
  readonly region: string
  readonly machine: CapabilityValues
  /** That of the pool; amd64 if it says none. */
  readonly architecture: string
}

/** An image, or what the user reads where there is none: in the words of the Go extension, then why. */
export type FoundImage =
  | { readonly ok: true; readonly image: RegionalImage }
  | { readonly ok: false; readonly message: string }

/**
 * The AMI of a pool (docs/contract/workers-aws.md#images): of the CloudProfile, or the one that the Worker had when the
 * CloudProfile still had it.
 *
 * @param imagesInUse those of `status.providerStatus`, asked for where the CloudProfile has none; undefined: the Worker has none
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

/** Where nothing says an architecture it is amd64: an image fits machines of its own alone. */
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

/** What an image in use goes with; one that says nothing is for amd64. */
export const capabilitiesOfStatus = (image: StatusImage): CapabilityValues =>
  image.capabilities ?? ofArchitecture(image.architecture || defaultArchitecture)

const architectureIn = ({ architecture, capabilities }: StatusImage): string =>
  architecture || (capabilities?.architecture?.[0] ?? defaultArchitecture)

/** The words of the Go extension. */
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
  `${images.map(({ ami }) => ami).join(' and ')} of the cloud profile suit it equally well`

const whyNone = (
  { providerConfig }: MachinesProfile,
  { name, version, region, machine }: ImageRequest,
  offered: readonly RegionalImage[],
): string => {
  const named = (providerConfig?.machineImages ?? []).filter(image => image.name === name)
  if (named.length === 0) return 'the cloud profile has no AMIs of an image of this name'
  const versions = named.flatMap(image => image.versions ?? [])
  if (!versions.some(known => known.version === version))
    return 'the cloud profile has no AMIs of this version of the image'
  if (offered.length === 0) return `the cloud profile has no AMI of it in ${region}`
  const those = offered.map(({ ami, capabilities }) => `${ami} with ${printed(capabilities)}`).join(', ')
  return `of the cloud profile there is ${those}, and the machine is ${printed(machine)}`
}
