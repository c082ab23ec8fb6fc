import { describe, expect, test } from 'vitest'
import { cidrProblems } from './cidr-problems.ts'
import { configProblems } from './config-problems.ts'
import {
  configOf,
  existing,
  lines,
  made,
  ownA,
  ownB,
  type Parts,
  shoot,
  zoneA,
  zoneB,
} from './testing/problems.ts'

describe('a valid config', () => {
  test.each<[string, Parts]>([
    ['one zone', {}],
    ['two zones', { zones: [zoneA, zoneB] }],
    ['an existing VPC', { vpc: existing }],
    ['a group of the user', { vpc: existing, networks: { nodesSecurityGroupID: 'sg-1' } }],
    ['own subnets', { vpc: existing, zones: [ownA, ownB] }],
    [
      'own subnets for workers and load balancers at once',
      { vpc: existing, zones: [{ ...ownA, internalSubnetID: 'subnet-a', publicSubnetID: 'subnet-p' }] },
    ],
    ['endpoints', { vpc: { ...made, gatewayEndpoints: ['s3', 'dynamodb'] } }],
    ['own addresses', { zones: [{ ...zoneA, elasticIPAllocationID: 'eipalloc-1' }] }],
    ['a file system', { rest: { elasticFileSystem: { enabled: true } } }],
    [
      'own subnets with a file system',
      { vpc: existing, zones: [ownA], rest: { elasticFileSystem: { enabled: true, id: 'fs-1' } } },
    ],
    ['ignored tags', { rest: { ignoreTags: { keys: ['a b'], keyPrefixes: ['team/'] } } }],
  ])('has no problem: %s', (_, parts) => {
    const config = configOf(parts)
    expect(lines([...configProblems(config, 'admission'), ...cidrProblems(config, shoot)])).toEqual([])
  })
})
