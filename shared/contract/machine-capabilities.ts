/** Values by capability name. An absent capability has all its values. */
export type CapabilityValues = Readonly<Record<string, readonly string[]>>

/** A capability of machines in a CloudProfile, with its values, most preferred first. */
export interface CapabilityDefinition {
  readonly name: string
  readonly values: readonly string[]
}

export const architecture = 'architecture'
export const defaultArchitecture = 'amd64'

export const ofArchitecture = (value: string): CapabilityValues => ({ [architecture]: [value] })

/** The part of a CloudProfile's `spec` that defines capabilities. */
export interface ProfileCapabilities {
  readonly machineCapabilities?: readonly CapabilityDefinition[] | null | undefined
}

/**
 * Returns true if a CloudProfile defines capabilities. Otherwise machines and images differ only in their architecture.
 */
export const hasCapabilities = ({ machineCapabilities }: ProfileCapabilities): boolean =>
  (machineCapabilities ?? []).length > 0

export const definitionsOf = (profile: ProfileCapabilities): readonly CapabilityDefinition[] =>
  hasCapabilities(profile)
    ? (profile.machineCapabilities ?? [])
    : [{ name: architecture, values: ['amd64', 'arm64'] }]

/**
 * Returns the capabilities of a machine: those of its type. If the type has no architecture: the only defined one, or
 * else the pool's.
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

/** Returns true if an image fits a machine: they share a value of each capability. */
export const areCompatible = (
  definitions: readonly CapabilityDefinition[],
  machine: CapabilityValues,
  image: CapabilityValues,
): boolean =>
  definitions.every(definition => {
    const ofImage = valuesOf(definition, image)
    return valuesOf(definition, machine).some(value => ofImage.includes(value))
  })

/** Returns the preferred flavors: filters by each definition and value in turn, unless no flavor has the value. */
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

/** Returns true if both are equal after omitted capabilities are filled in. */
export const areEqual = (
  definitions: readonly CapabilityDefinition[],
  one: CapabilityValues,
  other: CapabilityValues,
): boolean => capabilitiesKey(definitions, one) === capabilitiesKey(definitions, other)

/** Returns a lookup key that is equal for capabilities that are equal after omitted ones are filled in. */
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

/** Prints capabilities like a Go map, sorted by name: `map[architecture:[amd64] hypervisor:[gen2 gen1]]`. */
export const printed = (capabilities: CapabilityValues): string => {
  const entries = Object.entries(capabilities).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `map[${entries.map(([name, values]) => `${name}:[${values.join(' ')}]`).join(' ')}]`
}
