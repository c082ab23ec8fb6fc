import { type Capabilities, type Capability, fitsBetter, ofArchitecture, ranksOf } from './capabilities.ts'
import type { CloudProfileSpec, MappedVersion } from './cloud-profile.ts'

export interface WantedImage {
  readonly name: string
  readonly version: string
  readonly region: string
  readonly machine: Capabilities
}

/** The AMI that fits best; of equal ones the first. */
export const amiOf = (
  { providerConfig }: CloudProfileSpec,
  defined: readonly Capability[],
  { name, version, region, machine }: WantedImage,
): string | undefined => {
  const mapped = (providerConfig?.machineImages ?? [])
    .filter(image => image.name === name)
    .flatMap(({ versions }) => (versions ?? []).filter(one => one.version === version))
  const offers = mapped.flatMap(amisOf).filter(offer => offer.region === region)
  let best: { readonly ami: string; readonly ranks: readonly number[] } | undefined
  for (const { ami, capabilities } of offers) {
    const ranks = ranksOf(defined, machine, capabilities)
    if (ranks !== undefined && (best === undefined || fitsBetter(ranks, best.ranks))) best = { ami, ranks }
  }
  return best?.ami
}

const amisOf = ({ regions, capabilityFlavors }: MappedVersion) => [
  ...(regions ?? []).map(({ name, ami, architecture }) => ({
    region: name,
    ami,
    capabilities: ofArchitecture(architecture ?? 'amd64'),
  })),
  ...(capabilityFlavors ?? []).flatMap(flavor =>
    (flavor.regions ?? []).map(({ name, ami }) => ({
      region: name,
      ami,
      capabilities: flavor.capabilities ?? {},
    })),
  ),
]
