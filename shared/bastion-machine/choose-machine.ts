import { formatProblems, problemsOf } from '../decode/problems.ts'
import { type Capabilities, type Capability, capabilitiesOf, formatCapabilities } from './capabilities.ts'
import { cloudProfileSchema } from './cloud-profile.ts'
import { architecturesOf, candidatesOf, suits } from './machine-image.ts'
import { capabilitiesOfType, machineTypeOf } from './machine-type.ts'
import { profileField, profileProblem } from './profile-problem.ts'
import { compareVersions } from './versions.ts'

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
