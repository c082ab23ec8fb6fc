import { expect, test } from 'vitest'
import { cloudProfileConfigSchema } from './cloud-profile-config.ts'
import { apiVersion } from './fields.ts'
import { findFloatingPool } from './find-floating-pool.ts'

type Pool = { readonly name: string; readonly [field: string]: unknown }

const found = (pools: readonly Pool[]) => {
  const { constraints } = cloudProfileConfigSchema.parse({
    apiVersion,
    kind: 'CloudProfileConfig',
    constraints: {
      floatingPools: pools.map((pool, index) => ({ ...pool, defaultFloatingSubnet: String(index) })),
    },
  })
  const pool = findFloatingPool(constraints.floatingPools, {
    name: 'public-1',
    region: 'here',
    domain: 'ours',
  })
  return pool && Number(pool.defaultFloatingSubnet)
}

test.each<[string, readonly Pool[], number | undefined]>([
  ['the name in the region', [{ name: 'public-1', region: 'here' }], 0],
  ['an entry without a region (D1)', [{ name: 'public-1' }], 0],
  ['the entry `*` if no other matches (D1)', [{ name: 'private' }, { name: '*' }], 1],
  ['a longer match', [{ name: '*' }, { name: 'p*' }, { name: '*lic-1' }, { name: 'pub*' }], 2],
  ['the name before a pattern', [{ name: 'public-*' }, { name: 'public-1' }], 1],
  ['the region before all regions', [{ name: 'public-1' }, { name: 'p*', region: 'here' }], 1],
  ['a constraining entry', [{ name: 'public-1', nonConstraining: true }, { name: 'p*' }], 1],
  ['the first of two', [{ name: 'public-1' }, { name: 'public-1' }], 0],
  ['the domain before all domains', [{ name: 'public-1' }, { name: 'p*', domain: 'ours' }], 1],
  ['nothing of another domain', [{ name: 'public-1', domain: 'theirs' }], undefined],
  ['nothing of another region', [{ name: 'public-1', region: 'there' }], undefined],
  ['nothing with another name', [{ name: 'public' }, { name: 'x*' }, { name: '*-2' }], undefined],
])('a floating pool is %s', (_, pools, expected) => {
  expect(found(pools)).toBe(expected)
})
