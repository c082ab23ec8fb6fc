import {
  architecturesIn,
  type Capabilities,
  type Capability,
  hasCapabilities,
  ofArchitecture,
  ranksOf,
} from './capabilities.ts'
import type { CloudProfileSpec, ImageVersion } from './cloud-profile.ts'
import { profileField, profileProblem } from './profile-problem.ts'
import { isSupported, isVersion } from './versions.ts'

/** A candidate version of an image for a bastion. */
export interface ImageCandidate {
  readonly name: string
  readonly version: ImageVersion
}

/** Returns the images that the CloudProfile names for bastions, or else all supported ones, in its order. */
export const candidatesOf = (
  { bastion, machineImages }: CloudProfileSpec,
  now: number,
): readonly ImageCandidate[] => {
  const { name: wanted, version: wantedVersion } = bastion?.machineImage ?? {}
  const images = (machineImages ?? []).filter(({ name }) => wanted === undefined || name === wanted)
  const all = images.flatMap(({ name, versions }) => (versions ?? []).map(version => ({ name, version })))
  if (wanted !== undefined && images.length === 0)
    throw profileProblem(`${profileField}.bastion.machineImage.name: unknown machine image ${wanted}`)
  if (!wantedVersion)
    return all.filter(({ version }) => isSupported(version, now) && isVersion(version.version))
  const named = all.filter(({ version }) => version.version === wantedVersion)
  const [only] = named
  if (only === undefined)
    throw profileProblem(
      `${profileField}.bastion.machineImage.version: machine image ${wanted} has no version ${wantedVersion}`,
    )
  if (only.version.classification && !isSupported(only.version, now))
    throw profileProblem(
      `${profileField}.bastion.machineImage.version: expected a supported version, found ${wantedVersion}`,
    )
  return named
}

/** Returns the flavors of a version. A version without flavors fits every machine. */
const flavorsOf = (spec: CloudProfileSpec, { architectures, capabilityFlavors }: ImageVersion) => {
  if (hasCapabilities(spec)) return capabilityFlavors?.length ? capabilityFlavors : [{}]
  return (architectures?.length ? architectures : ['amd64']).map(ofArchitecture)
}

export const architecturesOf = (
  spec: CloudProfileSpec,
  defined: readonly Capability[],
  version: ImageVersion,
): readonly string[] => flavorsOf(spec, version).flatMap(flavor => architecturesIn(defined, flavor))

/** Returns true if a machine can run a version. */
export const suits = (
  spec: CloudProfileSpec,
  defined: readonly Capability[],
  machine: Capabilities,
  version: ImageVersion,
): boolean => flavorsOf(spec, version).some(flavor => ranksOf(defined, machine, flavor) !== undefined)
