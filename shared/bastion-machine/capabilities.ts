import type { CloudProfileSpec } from './cloud-profile.ts'

/** Values by capability name. An absent capability has all its values. */
export type Capabilities = Readonly<Record<string, readonly string[]>>

/** A capability of machines with its values, most preferred first. */
export interface Capability {
  readonly name: string
  readonly values: readonly string[]
}

const architecture = 'architecture'

/** Returns the capabilities of a CloudProfile. Without capabilities: only the architecture. */
export const capabilitiesOf = ({ machineCapabilities }: CloudProfileSpec): readonly Capability[] =>
  machineCapabilities && machineCapabilities.length > 0
    ? machineCapabilities
    : [{ name: architecture, values: ['amd64', 'arm64'] }]

/** Returns true if a CloudProfile has capabilities. Otherwise its types and images name architectures. */
export const hasCapabilities = ({ machineCapabilities }: CloudProfileSpec): boolean =>
  (machineCapabilities ?? []).length > 0

/** Capabilities of an item that names only its architecture. */
export const ofArchitecture = (value: string): Capabilities => ({ [architecture]: [value] })

export const architecturesIn = (
  defined: readonly Capability[],
  capabilities: Capabilities,
): readonly string[] =>
  capabilities[architecture] ?? defined.find(({ name }) => name === architecture)?.values ?? []

/**
 * Ranks the fit of an offer to a machine: one number per capability, in order of weight; smaller is better. Undefined:
 * it does not fit.
 */
export const ranksOf = (
  defined: readonly Capability[],
  machine: Capabilities,
  offered: Capabilities,
): readonly number[] | undefined => {
  const ranks = defined.map(({ name, values }) =>
    values.findIndex(
      value => (machine[name] ?? values).includes(value) && (offered[name] ?? values).includes(value),
    ),
  )
  return ranks.includes(-1) ? undefined : ranks
}

/** Returns the best offer for a machine; the first of equal ones. */
export const bestOffer = <O extends { readonly capabilities: Capabilities }>(
  defined: readonly Capability[],
  machine: Capabilities,
  offers: readonly O[],
): O | undefined => {
  let best: { readonly offer: O; readonly ranks: readonly number[] } | undefined
  for (const offer of offers) {
    const ranks = ranksOf(defined, machine, offer.capabilities)
    if (ranks !== undefined && (best === undefined || fitsBetter(ranks, best.ranks))) best = { offer, ranks }
  }
  return best?.offer
}

/** Returns true if the first ranks are better than the others. Both have the same capabilities. */
const fitsBetter = (ranks: readonly number[], others: readonly number[]): boolean => {
  const index = ranks.findIndex((rank, at) => rank !== others[at])
  return index !== -1 && (ranks[index] ?? 0) < (others[index] ?? 0)
}

/** For messages: `architecture amd64, hypervisor gen2 or gen1`. */
export const formatCapabilities = (capabilities: Capabilities): string =>
  Object.entries(capabilities)
    .map(([name, values]) => `${name} ${values.join(' or ')}`)
    .join(', ')
