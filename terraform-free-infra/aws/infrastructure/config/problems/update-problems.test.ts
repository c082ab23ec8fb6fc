import { describe, expect, test } from 'vitest'
import { configOf, existing, lines, made, ownA, type Parts, zoneA, zoneB } from './testing/problems.ts'
import { updateProblems } from './update-problems.ts'

describe('an update', () => {
  test.each<[string, Parts, Parts]>([
    ['without a change', {}, {}],
    ['that adds a zone', {}, { zones: [zoneA, zoneB] }],
    ['that adds a file system', {}, { rest: { elasticFileSystem: { enabled: true } } }],
    ['that turns on dual-stack', {}, { rest: { dualStack: { enabled: true } } }],
    ['that adds a pool', {}, { vpc: { ...made, ipv6IpamPool: { id: 'ipam-pool-1' } } }],
    ['that adds an endpoint', {}, { vpc: { ...made, gatewayEndpoints: ['s3'] } }],
    ['that adds an address', {}, { zones: [{ ...zoneA, elasticIPAllocationID: 'eipalloc-1' }] }],
    [
      'that names load balancer subnets',
      { vpc: existing, zones: [ownA] },
      { vpc: existing, zones: [{ ...ownA, publicSubnetID: 'subnet-p' }] },
    ],
    ['that adds an ignored tag', {}, { rest: { ignoreTags: { keys: ['a'] } } }],
  ])('%s is accepted', (_, before, after) => {
    expect(lines(updateProblems(configOf(before), configOf(after)))).toEqual([])
  })

  const cannot = (found: string, expected = 'nothing') =>
    `expected ${expected} as before, found ${found}: it cannot be changed after the shoot was created`
  test.each<[string, Parts, Parts, string]>([
    [
      'of the file system',
      { rest: { elasticFileSystem: { enabled: true } } },
      {},
      `elasticFileSystem: ${cannot('nothing', '{"enabled":true}')}`,
    ],
    [
      'of the tenancy',
      {},
      { rest: { enableDedicatedTenancyForVPC: true } },
      `enableDedicatedTenancyForVPC: ${cannot('true')}`,
    ],
    [
      'of the VPC',
      { vpc: existing },
      { vpc: { id: 'vpc-2' } },
      `networks.vpc.id: ${cannot('"vpc-2"', '"vpc-1"')}`,
    ],
    [
      'of the CIDR of the VPC',
      {},
      { vpc: { cidr: '10.0.0.0/8' } },
      `networks.vpc.cidr: ${cannot('"10.0.0.0/8"', '"10.250.0.0/16"')}`,
    ],
    [
      'of the pool',
      { vpc: { ...made, ipv6IpamPool: { id: 'a' } } },
      {},
      `networks.vpc.ipv6IpamPool: ${cannot('nothing', '{"id":"a"}')}`,
    ],
    [
      'of the group',
      {},
      { networks: { nodesSecurityGroupID: 'sg-1' } },
      `networks.nodesSecurityGroupID: ${cannot('"sg-1"')}`,
    ],
    [
      'that removes a zone',
      { zones: [zoneA, zoneB] },
      { zones: [zoneA] },
      'networks.zones: expected at least the previous 2 zones, found 1: zones cannot be removed',
    ],
    [
      'of the order of zones',
      { zones: [zoneA] },
      { zones: [{ ...zoneA, name: 'eu-west-1c' }] },
      `networks.zones[0].name: ${cannot('"eu-west-1c"', '"eu-west-1a"')}`,
    ],
    ...(['workers', 'internal', 'public'] as const).map((field): [string, Parts, Parts, string] => [
      `of ${field}`,
      {},
      { zones: [{ ...zoneA, [field]: '10.250.200.0/24' }] },
      `networks.zones[0].${field}: ${cannot('"10.250.200.0/24"', `"${zoneA[field]}"`)}`,
    ]),
    [
      'of the workers subnet',
      { vpc: existing, zones: [ownA] },
      { vpc: existing, zones: [{ ...ownA, workersSubnetID: 'subnet-z' }] },
      `networks.zones[0].workersSubnetID: ${cannot('"subnet-z"', '"subnet-a"')}`,
    ],
    ...(['publicSubnetID', 'internalSubnetID'] as const).map((field): [string, Parts, Parts, string] => [
      `of ${field}`,
      { vpc: existing, zones: [{ ...ownA, [field]: 'subnet-p' }] },
      { vpc: existing, zones: [ownA] },
      `networks.zones[0].${field}: ${cannot('nothing', '"subnet-p"')}`,
    ]),
    [
      'that turns off dual-stack',
      { rest: { dualStack: { enabled: true } } },
      { rest: { dualStack: { enabled: false } } },
      'dualStack.enabled: expected true as before, found false: IPv6 cannot be removed',
    ],
  ])('%s is refused', (_, before, after, expected) => {
    expect(lines(updateProblems(configOf(before), configOf(after)))).toEqual([expected])
  })
})
