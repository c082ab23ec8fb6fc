import { formatProblems, problemsOf } from '../decode/problems.ts'
import { compareVersions, isVersion } from '../text/semantic-version.ts'
import {
  architecturesIn,
  type Capabilities,
  type Capability,
  capabilitiesOf,
  formatCapabilities,
  hasCapabilities,
  ofArchitecture,
  ranksOf,
} from './capabilities.ts'
import {
  type CloudProfileSpec,
  cloudProfileSchema,
  type ImageVersion,
  type MachineType,
} from './cloud-profile.ts'
import { isSupported } from './is-supported.ts'
import { profileField, profileProblem } from './profile-problem.ts'

/** A machine type and a fitting version of a machine image. */
export interface ChosenMachine {
  /** `t3.small` */
  readonly type: string
  readonly image: { readonly name: string; readonly version: string }
  /** Capabilities that an image must support. */
  readonly machine: Capabilities
  /** Capabilities of the CloudProfile. */
  readonly defined: readonly Capability[]
  /** For messages: `gardenlinux 1877.3.0 for t3.small (architecture amd64)`. */
  readonly text: string
}

/**
 * Chooses the machine type and image of a bastion from the `spec` of a CloudProfile
 * (docs/contract/kinds.md#machine-of-a-bastion). Throws a `CodedError` that names the field of the CloudProfile.
 */
export const chooseMachine = (cloudProfile: unknown, now: number): ChosenMachine => {
  const parsed = cloudProfileSchema.safeParse(cloudProfile ?? {})
  if (!parsed.success)
    throw profileProblem(
      formatProblems(
        problemsOf(parsed.error.issues, cloudProfile).map(({ path, message }) => ({
          path: `${profileField}.${path}`,
          message,
        })),
      ),
    )
  const spec = parsed.data
  const defined = capabilitiesOf(spec)
  const images = candidatesOf(spec, now)
  const architectures = new Set(images.flatMap(({ version }) => architecturesOf(spec, defined, version)))
  const type = machineTypeOf(spec, defined, architectures)
  const machine = capabilitiesOfType(spec, type)
  const fitting = images.filter(({ version }) => suits(spec, defined, machine, version))
  const [first] = fitting
  if (first === undefined)
    throw profileProblem(
      `${profileField}.machineImages: no image that a bastion may use supports ${type.name} (${formatCapabilities(machine)}). Classify a version as supported, or set ${profileField}.bastion.machineImage`,
    )
  const ofImage = fitting.filter(({ name }) => name === first.name)
  const { name, version } = ofImage.reduce((best, next) =>
    compareVersions(next.version.version, best.version.version) > 0 ? next : best,
  )
  return {
    type: type.name,
    image: { name, version: version.version },
    machine,
    defined,
    text: `${name} ${version.version} for ${type.name} (${formatCapabilities(machine)})`,
  }
}

interface ImageCandidate {
  readonly name: string
  readonly version: ImageVersion
}

/** Returns the images that the CloudProfile names for bastions, or else all supported ones, in its order. */
const candidatesOf = (
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

const architecturesOf = (
  spec: CloudProfileSpec,
  defined: readonly Capability[],
  version: ImageVersion,
): readonly string[] => flavorsOf(spec, version).flatMap(flavor => architecturesIn(defined, flavor))

const suits = (
  spec: CloudProfileSpec,
  defined: readonly Capability[],
  machine: Capabilities,
  version: ImageVersion,
): boolean => flavorsOf(spec, version).some(flavor => ranksOf(defined, machine, flavor) !== undefined)

/**
 * Returns the machine type that the CloudProfile names for bastions. Otherwise: of the usable types with an image, the
 * first one with the fewest CPUs.
 */
const machineTypeOf = (
  spec: CloudProfileSpec,
  defined: readonly Capability[],
  architectures: ReadonlySet<string>,
): MachineType => {
  const types = spec.machineTypes ?? []
  const wanted = spec.bastion?.machineType?.name
  if (wanted !== undefined) {
    const named = types.find(({ name }) => name === wanted)
    if (named === undefined)
      throw profileProblem(`${profileField}.bastion.machineType.name: unknown machine type ${wanted}`)
    if (architectureOf(spec, defined, named) === undefined)
      throw profileProblem(
        `${profileField}.bastion.machineType.name: expected a machine type with one architecture, found ${wanted} without an architecture`,
      )
    return named
  }
  const eligible = types.filter(type => {
    const architecture = architectureOf(spec, defined, type)
    return type.usable !== false && architecture !== undefined && architectures.has(architecture)
  })
  const [first, ...others] = eligible
  if (first === undefined)
    throw profileProblem(
      `${profileField}.machineTypes: no usable machine type has an architecture of the supported images (${[...architectures].join(', ') || 'there are none'}). Set ${profileField}.bastion.machineType`,
    )
  return others.reduce((least, next) => (cpusOf(next) < cpusOf(least) ? next : least), first)
}

/** Parses a quantity: `2`, `500m`. An unreadable one is chosen last. */
const cpusOf = ({ cpu }: MachineType): number => {
  const [, number = '', milli] = /^(\d+(?:\.\d+)?)(m?)$/.exec(String(cpu)) ?? []
  if (number === '') return Number.POSITIVE_INFINITY
  return Math.ceil(milli ? Number(number) / 1000 : Number(number))
}

/** Undefined: the type has no architecture or several. */
const architectureOf = (
  spec: CloudProfileSpec,
  defined: readonly Capability[],
  type: MachineType,
): string | undefined => {
  if (!hasCapabilities(spec)) return type.architecture ?? undefined
  const [only, ...others] = architecturesIn(defined, type.capabilities ?? {})
  return others.length === 0 ? only : undefined
}

const capabilitiesOfType = (spec: CloudProfileSpec, type: MachineType): Capabilities =>
  hasCapabilities(spec) ? (type.capabilities ?? {}) : ofArchitecture(type.architecture ?? '')
