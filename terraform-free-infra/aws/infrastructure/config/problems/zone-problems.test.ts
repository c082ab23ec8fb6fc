import { describe, expect, test } from 'vitest'
import { configProblems } from './config-problems.ts'
import { configOf, existing, lines, ownA, ownB, type Parts, zoneA, zoneB } from './testing/problems.ts'
import { zoneProblemsOfShoot } from './zone-problems.ts'

describe('invalid zones are refused with the field and the expected value', () => {
  test.each<[string, Parts, string[]]>([
    ['no zone', { zones: [] }, ['networks.zones: expected the networks of at least one zone, found none']],
    [
      'a name that is none',
      { zones: [{ ...zoneA, name: 'EU west' }] },
      [
        'networks.zones[0].name: expected the name of an availability zone (such as eu-west-1a), found "EU west"',
      ],
    ],
    [
      'an empty name',
      { zones: [{ ...zoneA, name: '' }] },
      [
        'networks.zones[0].name: expected the name of an availability zone (such as eu-west-1a), found an empty string',
      ],
    ],
    [
      'a name that is too long',
      { zones: [{ ...zoneA, name: 'a'.repeat(256) }] },
      [
        'networks.zones[0].name: expected the name of an availability zone (such as eu-west-1a) of at most 255 characters, found 256 characters',
      ],
    ],
    [
      // docs/contract/provider-aws-defects.md#a-zone-twice
      'the same zone twice',
      { zones: [zoneA, { ...zoneB, name: 'eu-west-1a' }] },
      [
        'networks.zones[1].name: expected a unique value, found "eu-west-1a", which networks.zones[0] also has',
      ],
    ],
    [
      'own and managed zones',
      { vpc: existing, zones: [ownA, zoneB] },
      [
        'networks.zones: expected either workers or workersSubnetID in all zones, found both: subnets are either created in every zone or provided in every zone',
      ],
    ],
    [
      'a zone that is both',
      { vpc: existing, zones: [{ ...ownA, workers: '10.250.0.0/19' }] },
      [
        'networks.zones: expected either workers or workersSubnetID in all zones, found both: subnets are either created in every zone or provided in every zone',
        'networks.zones[0].workers: expected nothing beside workersSubnetID: nodes are either in your subnet or in a new one',
      ],
    ],
    [
      'a zone that is neither',
      { zones: [{ name: 'eu-west-1a' }] },
      ['networks.zones[0]: expected workers (a CIDR) or workersSubnetID, found neither'],
    ],
    [
      // docs/contract/provider-aws-defects.md#zones-without-load-balancer-subnets
      'a managed zone without internal subnet',
      { zones: [{ ...zoneA, internal: undefined }] },
      ['networks.zones[0].internal: expected the CIDR of a subnet, found nothing'],
    ],
    [
      // docs/contract/provider-aws-defects.md#zones-without-load-balancer-subnets
      'a managed zone without public subnet',
      { zones: [{ ...zoneA, public: undefined }] },
      ['networks.zones[0].public: expected the CIDR of a subnet, found nothing'],
    ],
    [
      'a public subnet in one of two own zones',
      { vpc: existing, zones: [{ ...ownA, publicSubnetID: 'subnet-p' }, ownB] },
      [
        'networks.zones[1].publicSubnetID: expected the id of a subnet because another zone has one, found nothing',
      ],
    ],
    [
      'an internal subnet in one of two own zones',
      { vpc: existing, zones: [ownA, { ...ownB, internalSubnetID: 'subnet-p' }] },
      [
        'networks.zones[0].internalSubnetID: expected the id of a subnet because another zone has one, found nothing',
      ],
    ],
    [
      'CIDRs beside own subnets',
      { vpc: existing, zones: [{ ...ownA, internal: zoneA.internal, public: zoneA.public }] },
      [
        'networks.zones[0].internal: expected nothing: with workersSubnetID no subnet is created. Set internalSubnetID to your subnet, or tag it',
        'networks.zones[0].public: expected nothing: with workersSubnetID no subnet is created. Set publicSubnetID to your subnet, or tag it',
      ],
    ],
    [
      'own subnets without their VPC',
      { zones: [ownA] },
      ['networks.zones[0].workersSubnetID: expected networks.vpc.id as well: the VPC of the subnet'],
    ],
    [
      'an own subnet that is none',
      { vpc: existing, zones: [{ ...ownA, workersSubnetID: 'sn-1' }] },
      [
        'networks.zones[0].workersSubnetID: expected the id of a subnet (such as subnet-0123456789abcdef0), found "sn-1"',
      ],
    ],
    [
      'the same workers subnet twice',
      { vpc: existing, zones: [ownA, { ...ownB, workersSubnetID: 'subnet-a' }] },
      [
        'networks.zones[1].workersSubnetID: expected a unique value, found "subnet-a", which networks.zones[0] also has',
      ],
    ],
    [
      'a load balancer subnet in two zones',
      {
        vpc: existing,
        zones: [
          { ...ownA, publicSubnetID: 'subnet-p', internalSubnetID: 'subnet-i' },
          { ...ownB, publicSubnetID: 'subnet-i', internalSubnetID: 'subnet-j' },
        ],
      },
      [
        'networks.zones[1].publicSubnetID: expected a subnet only for this zone, found the one of networks.zones[0]',
      ],
    ],
    [
      'one subnet, public and internal',
      { vpc: existing, zones: [{ ...ownA, publicSubnetID: 'subnet-p', internalSubnetID: 'subnet-p' }] },
      [
        'networks.zones[0].internalSubnetID: expected another subnet than publicSubnetID: that subnet has a route to the internet gateway, this one to a NAT gateway',
        'networks.zones[0].internalSubnetID: expected a subnet only for this purpose, found the one of publicSubnetID',
      ],
    ],
    [
      'load balancer subnets beside CIDRs',
      { vpc: existing, zones: [{ ...zoneA, publicSubnetID: 'subnet-p', internalSubnetID: 'subnet-i' }] },
      [
        'networks.zones[0].publicSubnetID: expected nothing: only allowed with workersSubnetID; without it the subnet is created',
        'networks.zones[0].internalSubnetID: expected nothing: only allowed with workersSubnetID; without it the subnet is created',
      ],
    ],
    [
      'an address beside own subnets',
      { vpc: existing, zones: [{ ...ownA, elasticIPAllocationID: 'eipalloc-1' }] },
      [
        'networks.zones[0].elasticIPAllocationID: expected the CIDRs workers and public as well: the address is for the NAT gateway of new subnets',
      ],
    ],
    [
      'one address for two zones',
      {
        zones: [
          { ...zoneA, elasticIPAllocationID: 'eipalloc-1' },
          { ...zoneB, elasticIPAllocationID: 'eipalloc-1' },
        ],
      },
      [
        'networks.zones[1].elasticIPAllocationID: expected a unique value, found "eipalloc-1", which networks.zones[0] also has',
      ],
    ],
    [
      'an address that is none',
      { zones: [{ ...zoneA, elasticIPAllocationID: '1.2.3.4' }] },
      [
        'networks.zones[0].elasticIPAllocationID: expected the allocation id of an elastic IP address (such as eipalloc-0123456789abcdef0), found "1.2.3.4"',
      ],
    ],
  ])('%s', (_, parts, expected) => {
    // Applies all rules: a config that breaks one rule breaks no other.
    expect(lines(configProblems(configOf(parts), 'admission'))).toEqual(expected)
  })
})

describe('a step accepts configs that only admission refuses, because the object may be older than the rule', () => {
  test.each<[string, Parts]>([
    ['a zone without workers', { zones: [{ ...zoneA, workers: undefined }] }],
    [
      'a zone without workers that has an address',
      { zones: [{ ...zoneA, workers: undefined, elasticIPAllocationID: 'eipalloc-1' }] },
    ],
    [
      'a load balancer subnet in one of two own zones',
      { vpc: existing, zones: [{ ...ownA, publicSubnetID: 'subnet-p' }, ownB] },
    ],
    ['the same zone twice', { zones: [zoneA, { ...zoneB, name: 'eu-west-1a' }] }],
    ['a tag of other letters', { rest: { ignoreTags: { keys: ['größe'], keyPrefixes: ['größe/'] } } }],
  ])('%s', (_, parts) => {
    expect(lines(configProblems(configOf(parts), 'step'))).toEqual([])
    expect(lines(configProblems(configOf(parts), 'admission'))).not.toEqual([])
  })

  test.each<[string, Parts, string[]]>([
    [
      'but not a managed zone without public subnet, whose NAT gateway has no place',
      { zones: [{ ...zoneA, workers: undefined, public: undefined }] },
      ['networks.zones[0].public: expected the CIDR of a subnet, found nothing'],
    ],
    [
      'nor own and managed zones',
      { vpc: existing, zones: [ownA, zoneB] },
      [
        'networks.zones: expected either workers or workersSubnetID in all zones, found both: subnets are either created in every zone or provided in every zone',
      ],
    ],
    [
      'nor a tag of the infrastructure',
      { rest: { ignoreTags: { keys: ['Name'] } } },
      ['ignoreTags.keys[0]: expected your own tag, found "Name": Name is reserved for the infrastructure'],
    ],
  ])('%s', (_, parts, expected) => {
    expect(lines(configProblems(configOf(parts), 'step'))).toEqual(expected)
  })
})

describe('a step for a shoot refuses', () => {
  const problems = (parts: Parts, hasIpv4: boolean, there: readonly string[] = []) =>
    lines(zoneProblemsOfShoot(configOf(parts), hasIpv4, ({ name }) => there.includes(name)))

  test('a zone without workers only if the nodes have IPv4', () => {
    const parts = { zones: [{ ...zoneA, workers: undefined }] }
    expect(problems(parts, true)).toEqual([
      'networks.zones[0]: expected workers (a CIDR) or workersSubnetID, found neither',
    ])
    expect(problems(parts, false)).toEqual([])
  })

  test('a repeated zone only if it did not exist before', () => {
    const parts = { zones: [zoneA, zoneB, { ...zoneB, name: 'eu-west-1a' }] }
    expect(problems(parts, true, ['eu-west-1b'])).toEqual([
      'networks.zones[2].name: expected a unique value, found "eu-west-1a", which networks.zones[0] also has',
    ])
    expect(problems(parts, true, ['eu-west-1a', 'eu-west-1b'])).toEqual([])
  })
})
