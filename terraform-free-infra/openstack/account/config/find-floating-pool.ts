import type { CloudProfileConfig } from './cloud-profile-config.ts'

type PoolOfProfile = CloudProfileConfig['constraints']['floatingPools'][number]

/**
 * Returns the entry of a CloudProfile for an external network, or undefined. Entries for this region precede those for
 * all regions, and the same holds for domains. Among these, constraining entries precede the others, and a longer match
 * of the name a shorter one: `*` matches any name, but is the last choice.
 *
 * @param name of the external network
 */
export const findFloatingPool = (
  pools: readonly PoolOfProfile[],
  { name, region, domain }: { readonly name: string; readonly region: string; readonly domain: string },
): PoolOfProfile | undefined =>
  pools
    .flatMap(pool => {
      const length = matchedLength(pool.name, name)
      const fits = (!pool.region || pool.region === region) && (!pool.domain || pool.domain === domain)
      if (length === undefined || !fits) return []
      return [
        {
          pool,
          rank: [Number(!!pool.region), Number(!!pool.domain), Number(pool.nonConstraining !== true), length],
        },
      ]
    })
    // Of equal entries, the first wins: the sort is stable.
    .sort((one, other) => compare(other.rank, one.rank))[0]?.pool

const compare = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, index) => value - (other[index] ?? 0)).find(difference => difference !== 0) ?? 0

/** The number of characters that a name with a `*` at one end matches literally. Undefined: it does not match. */
const matchedLength = (pattern: string, name: string): number | undefined => {
  if (pattern === name) return name.length
  const length = pattern.length - 1
  if (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))) return length
  if (pattern.startsWith('*') && name.endsWith(pattern.slice(1))) return length
  return undefined
}
