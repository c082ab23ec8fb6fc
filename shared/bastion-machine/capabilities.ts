import type { CloudProfileSpec } from './cloud-profile.ts'

/** Values by the names of capabilities; one that is not named stands for all its values. */
export type Capabilities = Readonly<Record<string, readonly string[]>>

/** A capability of machines and its values, the preferred ones first. */
export interface Capability {
  readonly name: string
  readonly values: readonly string[]
}

const architecture = 'architecture'

/** The capabilities of a CloudProfile; of one without them the architecture alone. */
export const capabilitiesOf = ({ machineCapabilities }: CloudProfileSpec): readonly Capability[] =>
  machineCapabilities && machineCapabilities.length > 0
    ? machineCapabilities
    : [{ name: architecture, values: ['amd64', 'arm64'] }]

/** Whether a CloudProfile has capabilities; else its types and images say their architectures. */
export const hasCapabilities = ({ machineCapabilities }: CloudProfileSpec): boolean =>
  (machineCapabilities ?? []).length > 0

/** For a thing that either has capabilities or says its architecture alone. */
export const ofArchitecture = (value: string): Capabilities => ({ [architecture]: [value] })

export const architecturesIn = (
  defined: readonly Capability[],
  capabilities: Capabilities,
): readonly string[] =>
  capabilities[architecture] ?? defined.find(({ name }) => name === architecture)?.values ?? []

/**
 * How well something with some capabilities goes with a machine, the smaller the better, one number for each capability
 * in the order of their weight; undefined: not at all.
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

/** The offer that fits a machine best; of equal ones the first. */
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

/** Whether something fits better than something else, of the same capabilities. */
const fitsBetter = (ranks: readonly number[], others: readonly number[]): boolean => {
  const index = ranks.findIndex((rank, at) => rank !== others[at])
  return index !== -1 && (ranks[index] ?? 0) < (others[index] ?? 0)
}

/** For people: `architecture amd64, hypervisor gen2 or gen1`. */
export const textOf = (capabilities: Capabilities): string =>
  Object.entries(capabilities)
    .map(([name, values]) => `${name} ${values.join(' or ')}`)
    .join(', ')
