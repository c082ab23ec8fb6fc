import { expect, test } from 'vitest'
import { allowedFloatingPool } from './allowed-floating-pool.ts'

type Entry = readonly [
  name: string,
  scope?: { readonly domain?: string; readonly region?: string; readonly nonConstraining?: boolean },
]

/** The found entry, or the allowed names. */
const find = (entries: readonly Entry[], name: string) => {
  const pools = entries.map(([pool, scope], index) => ({
    name: pool,
    loadBalancerClasses: [],
    index,
    ...scope,
  }))
  const found = allowedFloatingPool(pools, { name, domain: 'd', region: 'r' })
  return found.ok ? pools.indexOf(found.pool as (typeof pools)[number]) : found.allowed
}
const exact = { domain: 'd', region: 'r' }
const open = { nonConstraining: true }

test.each<[string, readonly Entry[], string, number | readonly string[]]>([
  ['the same name', [['a'], ['b']], 'b', 1],
  ['any name', [['*']], 'x', 0],
  ['the longest beginning', [['*'], ['fip-*'], ['fip-1*']], 'fip-12', 2],
  ['the longest end', [['*-x'], ['*-fip-x']], 'a-fip-x', 1],
  ['the whole name before a pattern', [['fip-*'], ['fip-1']], 'fip-1', 1],
  ['no match', [['b'], ['a*']], 'x', ['a*', 'b']],
  [
    'entries of others are nothing',
    [
      ['a', { domain: 'x' }],
      ['a', { region: 'x' }],
    ],
    'a',
    [],
  ],
  [
    'domain and region before the region',
    [
      ['*', { region: 'r' }],
      ['a', exact],
    ],
    'a',
    1,
  ],
  ['domain and region exclude wider ones', [['b', exact], ['a', { region: 'r' }], ['a']], 'a', ['b']],
  [
    'but not those that constrain nothing',
    [
      ['b', exact],
      ['a', { region: 'r', ...open }],
    ],
    'a',
    1,
  ],
  ['the region excludes those without', [['b', { region: 'r' }], ['a']], 'a', ['b']],
  ['the domain excludes those without', [['b', { domain: 'd' }], ['a']], 'a', ['b']],
  [
    'but not an open one without',
    [
      ['b', { domain: 'd' }],
      ['a', open],
    ],
    'a',
    1,
  ],
  [
    'region and domain must both allow it',
    [
      ['a', { region: 'r' }],
      ['b', { domain: 'd' }],
    ],
    'a',
    [],
  ],
  [
    'and do so',
    [
      ['a', { region: 'r' }],
      ['a*', { domain: 'd' }],
    ],
    'a',
    0,
  ],
  ['a domain with open entries alone excludes nothing', [['b', { domain: 'd', ...open }], ['a']], 'a', 1],
  [
    'all allowed names are shown, sorted',
    [
      ['z', exact],
      ['b', open],
      ['c', { region: 'r', ...open }],
    ],
    'a',
    ['b', 'c', 'z'],
  ],
])('%s', (_, entries, name, expected) => {
  expect(find(entries, name)).toEqual(expected)
})
