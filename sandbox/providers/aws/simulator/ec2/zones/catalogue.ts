/** A region and its Availability Zones, as letter and id. */
export interface RegionEntry {
  readonly name: string
  readonly geography: string
  /** If true, an account has to opt in. */
  readonly optIn: boolean
  readonly zones: readonly (readonly [letter: string, zoneId: string])[]
}

const region = (
  name: string,
  geography: string,
  code: string,
  letters: string,
  { optIn = false, first = 1 } = {},
): RegionEntry => ({
  name,
  geography,
  optIn,
  zones: [...letters].map((letter, index) => {
    const number = ((index + first - 1) % Math.max(letters.length, 3)) + 1
    return [letter, `${code}-az${number}`] as const
  }),
})

/**
 * Regions with their zones ("AWS Regions and Availability Zones"). In AWS the mapping of letters to zone ids differs
 * between accounts.
 */
export const regions: readonly RegionEntry[] = [
  region('ap-northeast-1', 'Asia Pacific (Tokyo)', 'apne1', 'acd'),
  region('ap-northeast-2', 'Asia Pacific (Seoul)', 'apne2', 'abcd'),
  region('ap-south-1', 'Asia Pacific (Mumbai)', 'aps1', 'abc'),
  region('ap-southeast-1', 'Asia Pacific (Singapore)', 'apse1', 'abc'),
  region('ap-southeast-2', 'Asia Pacific (Sydney)', 'apse2', 'abc'),
  region('ca-central-1', 'Canada (Central)', 'cac1', 'abd'),
  region('eu-central-1', 'Europe (Frankfurt)', 'euc1', 'abc'),
  region('eu-north-1', 'Europe (Stockholm)', 'eun1', 'abc'),
  region('eu-west-1', 'Europe (Ireland)', 'euw1', 'abc', { first: 3 }),
  region('eu-west-2', 'Europe (London)', 'euw2', 'abc'),
  region('eu-west-3', 'Europe (Paris)', 'euw3', 'abc'),
  region('sa-east-1', 'South America (São Paulo)', 'sae1', 'abc'),
  region('us-east-1', 'US East (N. Virginia)', 'use1', 'abcdef'),
  region('us-east-2', 'US East (Ohio)', 'use2', 'abc'),
  region('us-west-1', 'US West (N. California)', 'usw1', 'ac'),
  region('us-west-2', 'US West (Oregon)', 'usw2', 'abcd'),
  region('eu-south-1', 'Europe (Milan)', 'eus1', 'abc', { optIn: true }),
  region('eu-central-2', 'Europe (Zurich)', 'euc2', 'abc', { optIn: true }),
]

/** Returns a region. A region that is not in the list gets three zones. */
export const regionEntry = (name: string): RegionEntry =>
  regions.find(entry => entry.name === name) ?? region(name, name, name.replaceAll('-', ''), 'abc')

export interface ZoneEntry {
  readonly name: string
  readonly id: string
}

/** Returns the Availability Zones of a region. */
export const zonesOf = (name: string): readonly ZoneEntry[] =>
  regionEntry(name).zones.map(([letter, id]) => ({ name: `${name}${letter}`, id }))

export const zoneId = (zone: string): string =>
  zonesOf(zone.slice(0, -1)).find(entry => entry.name === zone)?.id ?? ''
