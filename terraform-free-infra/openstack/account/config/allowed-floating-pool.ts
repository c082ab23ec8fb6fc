import { matchedLength, type PoolOfProfile } from './find-floating-pool.ts'

/** A floating pool that a shoot names. */
interface WantedPool {
  readonly name: string
  /** The domain of the shoot's project. */
  readonly domain: string
  readonly region: string
}

/** The entry of a CloudProfile that allows a floating pool, or the allowed names, sorted. */
type AllowedPool =
  | { readonly ok: true; readonly pool: PoolOfProfile }
  | { readonly ok: false; readonly allowed: readonly string[] }

/** The entries of a CloudProfile with the same scope. */
interface PoolScope {
  readonly pool: PoolOfProfile | undefined
  /** The names that exclude those of wider scopes. */
  readonly constraints: readonly string[]
  /** The names that are allowed in addition. */
  readonly open: readonly string[]
}

/**
 * Returns the entry of a CloudProfile that allows a floating pool. Entries for the domain and region override those for one of
 * them, which override the others. An entry for the region and one for the domain must both allow the pool if both
 * exist. A `nonConstraining` entry excludes no other entry. The longest match of several entries wins; a name has a
 * wildcard (`*`) at one end (docs/contract/provider-openstack.md#admission).
 */
export const allowedFloatingPool = (
  pools: readonly PoolOfProfile[],
  { name, domain, region }: WantedPool,
): AllowedPool => {
  const scopeOf = (of: Partial<WantedPool>, isExcluded: boolean): PoolScope => {
    const same = pools.filter(pool => pool.domain === of.domain && pool.region === of.region)
    const open = same.filter(({ nonConstraining }) => nonConstraining === true)
    const constraining = isExcluded ? [] : same.filter(({ nonConstraining }) => nonConstraining !== true)
    return {
      pool: longestMatch(isExcluded ? open : same, name),
      constraints: constraining.map(pool => pool.name),
      open: open.map(pool => pool.name),
    }
  }
  const exact = scopeOf({ domain, region }, false)
  if (exact.pool !== undefined) return { ok: true, pool: exact.pool }
  const isExact = exact.constraints.length > 0
  const [ofRegion, ofDomain] = [scopeOf({ region }, isExact), scopeOf({ domain }, isExact)]
  const found =
    (ofDomain.constraints.length === 0 || ofDomain.pool !== undefined ? ofRegion.pool : undefined) ??
    (ofRegion.constraints.length === 0 ? ofDomain.pool : undefined)
  if (found !== undefined) return { ok: true, pool: found }
  const isConstrained = isExact || ofRegion.constraints.length + ofDomain.constraints.length > 0
  const others = scopeOf({}, isConstrained)
  if (others.pool !== undefined) return { ok: true, pool: others.pool }
  const both =
    ofRegion.constraints.length > 0 && ofDomain.constraints.length > 0
      ? ofRegion.constraints.filter(one => ofDomain.constraints.includes(one))
      : [...ofRegion.constraints, ...ofDomain.constraints]
  const names = [
    exact.constraints,
    both,
    others.constraints,
    ...[exact, ofRegion, ofDomain, others].map(({ open }) => open),
  ]
  return { ok: false, allowed: [...new Set(names.flat())].toSorted() }
}

const longestMatch = (pools: readonly PoolOfProfile[], name: string): PoolOfProfile | undefined => {
  let best: { readonly pool: PoolOfProfile; readonly length: number } | undefined
  for (const pool of pools) {
    const length = matchedLength(pool.name, name)
    if (length !== undefined && (best === undefined || best.length < length)) best = { pool, length }
  }
  return best?.pool
}
