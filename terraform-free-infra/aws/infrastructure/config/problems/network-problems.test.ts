import { describe, expect, test } from 'vitest'
import { configProblems } from './config-problems.ts'
import { configOf, existing, lines, made, ownA, type Parts } from './testing/problems.ts'

describe('invalid VPCs, endpoints, groups and file systems are refused with the field and the expected value', () => {
  test.each<[string, Parts, string[]]>([
    [
      'an endpoint that is no name',
      { vpc: { ...made, gatewayEndpoints: ['s3', 'com/s3'] } },
      [
        'networks.vpc.gatewayEndpoints[1]: expected the name of a service of AWS (such as s3): lower-case letters, digits, - and ., found "com/s3"',
      ],
    ],
    [
      'endpoints with own subnets',
      { vpc: { ...existing, gatewayEndpoints: ['s3'] }, zones: [ownA] },
      [
        'networks.vpc.gatewayEndpoints: expected none with workersSubnetID: they need routes in your route tables. Create the endpoints yourself',
      ],
    ],
    [
      'a group without its VPC',
      { networks: { nodesSecurityGroupID: 'sg-1' } },
      ['networks.nodesSecurityGroupID: expected networks.vpc.id as well: the VPC of the security group'],
    ],
    [
      'a group that is none',
      { vpc: existing, networks: { nodesSecurityGroupID: 'nodes' } },
      [
        'networks.nodesSecurityGroupID: expected the id of a security group (such as sg-0123456789abcdef0), found "nodes"',
      ],
    ],
    [
      'own subnets with a file system that would be made',
      { vpc: existing, zones: [ownA], rest: { elasticFileSystem: { enabled: true } } },
      [
        'elasticFileSystem.id: expected the id of your file system with workersSubnetID, found nothing: none is created in your subnets',
      ],
    ],
    [
      'no VPC',
      { vpc: {} },
      ['networks.vpc: expected the id of your VPC, or the cidr of a new VPC, found neither'],
    ],
    [
      'two VPCs',
      { vpc: { ...made, ...existing } },
      ['networks.vpc: expected id or cidr, found both: your VPC already has a CIDR, and a new VPC has no id'],
    ],
    [
      'a VPC that is none',
      { vpc: { id: 'my-vpc' } },
      ['networks.vpc.id: expected the id of a VPC (such as vpc-0123456789abcdef0), found "my-vpc"'],
    ],
  ])('%s', (_, parts, expected) => {
    // Applies all rules: a config that breaks one rule breaks no other.
    expect(lines(configProblems(configOf(parts), 'admission'))).toEqual(expected)
  })
})
