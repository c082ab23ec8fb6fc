/** Values by the names of capabilities; one that is not named stands for all its values. */
export type CapabilityValues = Readonly<Record<string, readonly string[]>>

/** What machines of a CloudProfile can differ in, each with its values, the preferred ones first. */
export interface CapabilityDefinition {
  readonly name: string
  readonly values: readonly string[]
}

export const architecture = 'architecture'
export const defaultArchitecture = 'amd64'

export const ofArchitecture = (value: string): CapabilityValues => ({ [architecture]: [value] })

/** As much of the `spec` of a CloudProfile as tells what machines can differ in. */
export interface ProfileCapabilities {
  readonly machineCapabilities?: readonly CapabilityDefinition[] | null | undefined
}

/** Whether a CloudProfile defines capabilities; else machines and images differ in their architecture alone. */
export const hasCapabilities = ({ machineCapabilities }: ProfileCapabilities): boolean =>
  (machineCapabilities ?? []).length > 0

export const definitionsOf = (profile: ProfileCapabilities): readonly CapabilityDefinition[] =>
  hasCapabilities(profile)
    ? (profile.machineCapabilities ?? [])
    : [{ name: architecture, values: ['amd64', 'arm64'] }]

/**
 * What a machine can do: what its type says; where that says no architecture, the only one that is defined, or else the
 * pool's.
 */
export const capabilitiesOfMachine = (
  definitions: readonly CapabilityDefinition[],
  ofType: CapabilityValues,
  ofPool: string | undefined,
): CapabilityValues => {
  if ((ofType[architecture] ?? []).length > 0) return ofType
  const [only, ...others] = definitions.find(({ name }) => name === architecture)?.values ?? []
  const value = only !== undefined && others.length === 0 ? only : (ofPool ?? defaultArchitecture)
  return { ...ofType, ...ofArchitecture(value) }
}

/** Whether an image goes with a machine: of each capability they share a value. */
export const areCompatible = (
  definitions: readonly CapabilityDefinition[],
  machine: CapabilityValues,
  image: CapabilityValues,
): boolean =>
  definitions.every(definition => {
    const ofImage = valuesOf(definition, image)
    return valuesOf(definition, machine).some(value => ofImage.includes(value))
  })

/** The flavors that are preferred: definition by definition, value by value, those that have it if there are any. */
export const preferredOf = <F extends { readonly capabilities: CapabilityValues }>(
  definitions: readonly CapabilityDefinition[],
  flavors: readonly F[],
): readonly F[] =>
  definitions
    .flatMap(definition => definition.values.map(value => ({ definition, value })))
    .reduce<readonly F[]>((left, { definition, value }) => {
      const having = left.filter(({ capabilities }) => valuesOf(definition, capabilities).includes(value))
      return having.length > 0 ? having : left
    }, flavors)

/** Whether two are the same once what they leave out is filled in. */
export const areEqual = (
  definitions: readonly CapabilityDefinition[],
  one: CapabilityValues,
  other: CapabilityValues,
): boolean => capabilitiesKey(definitions, one) === capabilitiesKey(definitions, other)

/** The same text for all that are the same once what they leave out is filled in: to look one up among many. */
export const capabilitiesKey = (
  definitions: readonly CapabilityDefinition[],
  capabilities: CapabilityValues,
): string =>
  JSON.stringify(definitions.map(definition => [...new Set(valuesOf(definition, capabilities))].toSorted()))

const valuesOf = (
  { name, values }: CapabilityDefinition,
  capabilities: CapabilityValues,
): readonly string[] => {
  const own = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined
  return own !== undefined && own.length > 0 ? own : values
}

/** As Go prints a map: `map[architecture:[amd64] hypervisor:[gen2 gen1]]`, by name. */
export const printed = (capabilities: CapabilityValues): string => {
  const entries = Object.entries(capabilities).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `map[${entries.map(([name, values]) => `${name}:[${values.join(' ')}]`).join(' ')}]`
}
