import {
  architecturesIn,
  type Capabilities,
  type Capability,
  hasCapabilities,
  ofArchitecture,
} from './capabilities.ts'
import type { CloudProfileSpec, MachineType } from './cloud-profile.ts'
import { profileField, profileProblem } from './profile-problem.ts'

/**
 * Returns the machine type that the CloudProfile names for bastions. Otherwise: of the usable types with an image, the
 * first one with the fewest CPUs.
 */
export const machineTypeOf = (
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

export const capabilitiesOfType = (spec: CloudProfileSpec, type: MachineType): Capabilities =>
  hasCapabilities(spec) ? (type.capabilities ?? {}) : ofArchitecture(type.architecture ?? '')
