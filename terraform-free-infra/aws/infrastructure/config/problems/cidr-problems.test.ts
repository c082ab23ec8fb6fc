import { describe, expect, test } from 'vitest'
import { cidrProblems, type ShootNetworking } from './cidr-problems.ts'
import { configOf, existing, lines, made, type Parts, shoot, zoneA, zoneB } from './testing/problems.ts'

describe('invalid CIDRs are refused', () => {
  const pool = (ipv6IpamPool: object): Parts => ({ vpc: { ...made, ipv6IpamPool } })
  const dual = { ...shoot, ipFamilies: ['IPv4', 'IPv6'] }
  test.each<[string, Parts, Partial<ShootNetworking>, string[]]>([
    [
      'one that is none',
      { zones: [{ ...zoneA, public: '10.250.96.0' }] },
      {},
      ['networks.zones[0].public: expected a CIDR such as 10.250.0.0/16, found "10.250.96.0"'],
    ],
    [
      'one with host bits',
      { zones: [{ ...zoneA, internal: '10.250.112.1/22' }] },
      {},
      [
        'networks.zones[0].internal: expected a CIDR in its canonical form, 10.250.112.0/22, found 10.250.112.1/22',
      ],
    ],
    [
      'workers outside of the nodes',
      {},
      { nodes: '10.250.32.0/19' },
      [
        'networks.zones[0].workers: expected a CIDR inside the nodes CIDR of the shoot (10.250.32.0/19), found 10.250.0.0/19',
      ],
    ],
    [
      'a VPC with host bits',
      { vpc: { cidr: '10.250.0.1/16' } },
      {},
      ['networks.vpc.cidr: expected a CIDR in its canonical form, 10.250.0.0/16, found 10.250.0.1/16'],
    ],
    [
      'a VPC that is none',
      { vpc: { cidr: 'ten' } },
      {},
      ['networks.vpc.cidr: expected a CIDR such as 10.250.0.0/16, found "ten"'],
    ],
    [
      'nodes outside of the VPC',
      {},
      { nodes: '10.0.0.0/8' },
      [
        'networks.vpc.cidr: expected a CIDR that contains the nodes CIDR of the shoot (10.0.0.0/8), found 10.250.0.0/16',
      ],
    ],
    [
      'a subnet outside of the VPC',
      { zones: [{ ...zoneA, public: '10.251.0.0/22' }] },
      {},
      [
        'networks.zones[0].public: expected a CIDR inside networks.vpc.cidr (10.250.0.0/16), found 10.251.0.0/22',
      ],
    ],
    [
      'pods in the VPC',
      {},
      { pods: '10.250.128.0/17' },
      [
        'networks.vpc.cidr: expected a CIDR that does not overlap with the pods CIDR of the shoot (10.250.128.0/17), found 10.250.0.0/16',
      ],
    ],
    [
      'services in the VPC',
      {},
      { services: '10.250.128.0/17' },
      [
        'networks.vpc.cidr: expected a CIDR that does not overlap with the services CIDR of the shoot (10.250.128.0/17), found 10.250.0.0/16',
      ],
    ],
    [
      'pods and services on subnets of an existing VPC',
      { vpc: existing },
      { pods: '10.250.96.0/22', services: '10.250.112.0/24' },
      [
        'networks.zones[0].public: expected a CIDR that does not overlap with the pods CIDR of the shoot (10.250.96.0/22), found 10.250.96.0/22',
        'networks.zones[0].internal: expected a CIDR that does not overlap with the services CIDR of the shoot (10.250.112.0/24), found 10.250.112.0/22',
      ],
    ],
    [
      'subnets on each other',
      { zones: [zoneA, { ...zoneB, public: '10.250.96.0/24' }] },
      {},
      [
        'networks.zones[1].public: expected a CIDR that does not overlap with networks.zones[0].public (10.250.96.0/22), found 10.250.96.0/24',
      ],
    ],
    [
      'a pool CIDR that is IPv4',
      pool({ id: 'ipam-pool-1', cidrBlock: '10.0.0.0/8' }),
      dual,
      [
        'networks.vpc.ipv6IpamPool.cidrBlock: expected an IPv6 CIDR such as 2001:db8:1:100::/56, found "10.0.0.0/8"',
      ],
    ],
    [
      'a pool CIDR that is too small',
      pool({ id: 'ipam-pool-1', cidrBlock: '2001:db8::/64' }),
      dual,
      ['networks.vpc.ipv6IpamPool.cidrBlock: expected a /56, found a /64'],
    ],
    [
      'a pool CIDR that is not canonical',
      pool({ id: 'ipam-pool-1', cidrBlock: '2001:DB8::/56' }),
      dual,
      [
        'networks.vpc.ipv6IpamPool.cidrBlock: expected a CIDR in its canonical form, 2001:db8::/56, found 2001:DB8::/56',
      ],
    ],
    [
      'a pool CIDR without pool',
      pool({ cidrBlock: '2001:db8::/56' }),
      dual,
      [
        'networks.vpc.ipv6IpamPool.cidrBlock: expected networks.vpc.ipv6IpamPool.id as well: the pool of the CIDR',
      ],
    ],
    [
      'a pool CIDR for a shoot without IPv6',
      pool({ id: 'ipam-pool-1', cidrBlock: '2001:db8::/56' }),
      {},
      ['networks.vpc.ipv6IpamPool.cidrBlock: expected a shoot with IPv6, found one without'],
    ],
  ])('%s', (_, parts, networking, expected) => {
    expect(lines(cidrProblems(configOf(parts), { ...shoot, ...networking }))).toEqual(expected)
  })

  test.each<[string, Partial<ShootNetworking>, string[]]>([
    ['a shoot of no family', { ipFamilies: undefined }, ['networks.zones[0].workers']],
    ['an IPv4 shoot', { ipFamilies: ['IPv4'] }, ['networks.zones[0].workers']],
    ['a dual-stack shoot', { ipFamilies: ['IPv4', 'IPv6'] }, ['networks.zones[0].workers']],
    ['an IPv6 shoot', { ipFamilies: ['IPv6'] }, []],
  ])('the workers CIDR is checked if nodes have IPv4: %s', (_, networking, expected) => {
    const config = configOf({ zones: [{ ...zoneA, workers: 'none' }] })
    expect(cidrProblems(config, { ...shoot, ...networking }).map(({ path }) => path)).toEqual(expected)
  })

  test.each<[string, string[], number]>([
    ['an IPv4 shoot', ['IPv4'], 2],
    ['a shoot with IPv6', ['IPv4', 'IPv6'], 0],
  ])('pods may overlap the VPC of %s: %s', (_, ipFamilies, count) => {
    const networking = { ...shoot, ipFamilies, pods: '10.250.128.0/17', services: '10.250.192.0/18' }
    expect(cidrProblems(configOf(), networking)).toHaveLength(count)
  })
})

test('problems name the networks of the shoot if these can be changed', () => {
  const called = {
    nodes: 'networking.nodes',
    pods: 'networking.pods',
    services: 'networking.services',
    canBeWrong: true,
  }
  const networks = { ...shoot, nodes: '10.0.0.0/8', pods: '10.250.0.0/16' }
  expect(lines(cidrProblems(configOf(), networks, called)).slice(0, 2)).toEqual([
    'networking.nodes: expected a CIDR inside networks.vpc.cidr (10.250.0.0/16), found 10.0.0.0/8',
    'networking.pods: expected a CIDR that does not overlap with networks.vpc.cidr (10.250.0.0/16), found 10.250.0.0/16',
  ])
})
