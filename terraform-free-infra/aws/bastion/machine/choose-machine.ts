import { formatProblems, problemsOf } from '../../../../shared/contract/problems.ts'
import { amiOf } from './ami.ts'
import { capabilitiesOf, textOf } from './capabilities.ts'
import { cloudProfileSchema } from './cloud-profile.ts'
import { architecturesOf, candidatesOf, suits } from './machine-image.ts'
import { capabilitiesOfType, machineTypeOf } from './machine-type.ts'
import { profileField, profileProblem } from './profile-problem.ts'
import { compareVersions } from './versions.ts'

/** What an instance is started with. */
export interface BastionMachine {
  /** `t3.small` */
  readonly type: string
  /** `ami-…` */
  readonly ami: string
}

/**
 * The machine type and the image of a bastion, by the `spec` of a CloudProfile
 * (docs/contract/kinds.md#machine-of-a-bastion). Throws a `CodedError` that names the field of the CloudProfile.
 */
export const chooseMachine = (cloudProfile: unknown, region: string, now: number): BastionMachine => {
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
      `${profileField}.machineImages: none that a bastion may have is for ${type.name} (${textOf(machine)}); classify a version as supported, or set ${profileField}.bastion.machineImage`,
    )
  const ofImage = fitting.filter(({ name }) => name === first.name)
  const { name, version } = ofImage.reduce((best, next) =>
    compareVersions(next.version.version, best.version.version) > 0 ? next : best,
  )
  const ami = amiOf(spec, defined, { name, version: version.version, region, machine })
  if (ami === undefined)
    throw profileProblem(
      `${profileField}.providerConfig.machineImages: expected an AMI of ${name} ${version.version} for ${type.name} (${textOf(machine)}) in ${region}, found none; add it, or set ${profileField}.bastion.machineImage`,
    )
  return { type: type.name, ami }
}
