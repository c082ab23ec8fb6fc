import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../../shared/contract/problems.ts'
import { cidrProblems, type ShootNetworking } from './cidr-rules.ts'
import { cloudProfileProblems } from './cloud-profile-rules.ts'
import { apiVersion, type InfrastructureConfig } from './config.ts'
import { decodeConfig } from './decode.ts'
import { configProblems } from './problems.ts'
import { updateProblems } from './update-rules.ts'

const zoneA = {
  name: 'eu-west-1a',
  workers: '10.250.0.0/19',
  internal: '10.250.112.0/22',
  public: '10.250.96.0/22',
}
const zoneB = {
  name: 'eu-west-1b',
  workers: '10.250.32.0/19',
  internal: '10.250.120.0/22',
  public: '10.250.104.0/22',
}
const ownA = { name: 'eu-west-1a', workersSubnetID: 'subnet-a' }
const ownB = { name: 'eu-west-1b', workersSubnetID: 'subnet-b' }
const made = { cidr: '10.250.0.0/16' }
const existing = { id: 'vpc-1' }

interface Parts {
  readonly zones?: readonly object[]
  readonly vpc?: object
  readonly networks?: object
  readonly rest?: object
}
const configOf = ({ zones = [zoneA], vpc = made, networks, rest }: Parts = {}): InfrastructureConfig => {
  const decoded = decodeConfig({
    apiVersion,
    kind: 'InfrastructureConfig',
    networks: { vpc, zones, ...networks },
    ...rest,
  })
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems))
  return decoded.config
}

const shoot: ShootNetworking = {
  ipFamilies: ['IPv4'],
  nodes: '10.250.0.0/16',
  pods: '100.96.0.0/11',
  services: '100.64.0.0/13',
}

const lines = (problems: readonly Problem[]): string[] =>
  problems.map(({ path, message }) => `${path}: ${message}`)

describe('a config that can be made', () => {
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
    expect(lines([...configProblems(config), ...cidrProblems(config, shoot)])).toEqual([])
  })
})

describe('a config that cannot be made is refused, with the field and what it must be', () => {
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
      'the same zone twice (Q12)',
      { zones: [zoneA, { ...zoneB, name: 'eu-west-1a' }] },
      [
        'networks.zones[1].name: expected one that no other zone has, found "eu-west-1a", which networks.zones[0] has',
      ],
    ],
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
        'networks.vpc.gatewayEndpoints: expected none with workersSubnetID: they need routes in your route tables; create the endpoints yourself',
      ],
    ],
    [
      'a group without its VPC',
      { networks: { nodesSecurityGroupID: 'sg-1' } },
      [
        'networks.nodesSecurityGroupID: expected networks.vpc.id beside it: the VPC that the security group is in',
      ],
    ],
    [
      'a group that is none',
      { vpc: existing, networks: { nodesSecurityGroupID: 'nodes' } },
      [
        'networks.nodesSecurityGroupID: expected the id of a security group (such as sg-0123456789abcdef0), found "nodes"',
      ],
    ],
    [
      'own and managed zones',
      { vpc: existing, zones: [ownA, zoneB] },
      [
        'networks.zones: expected either workers or workersSubnetID in all zones alike, found both: subnets are either made in every zone or brought along in every zone',
      ],
    ],
    [
      'a zone that is both',
      { vpc: existing, zones: [{ ...ownA, workers: '10.250.0.0/19' }] },
      [
        'networks.zones: expected either workers or workersSubnetID in all zones alike, found both: subnets are either made in every zone or brought along in every zone',
      ],
    ],
    [
      'a zone that is neither',
      { zones: [{ name: 'eu-west-1a' }] },
      ['networks.zones[0]: expected workers (a CIDR) or workersSubnetID, found neither'],
    ],
    [
      'a managed zone without internal subnet (Q1)',
      { zones: [{ ...zoneA, internal: undefined }] },
      ['networks.zones[0].internal: expected the CIDR of a subnet, found nothing'],
    ],
    [
      'a managed zone without public subnet (Q1)',
      { zones: [{ ...zoneA, public: undefined }] },
      ['networks.zones[0].public: expected the CIDR of a subnet, found nothing'],
    ],
    [
      'own subnets with a file system that would be made',
      { vpc: existing, zones: [ownA], rest: { elasticFileSystem: { enabled: true } } },
      [
        'elasticFileSystem.id: expected the id of a file system of yours with workersSubnetID, found nothing: none is made in your subnets',
      ],
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
        'networks.zones[0].internal: expected nothing: with workersSubnetID no subnet is made; name yours in internalSubnetID or tag it',
        'networks.zones[0].public: expected nothing: with workersSubnetID no subnet is made; name yours in publicSubnetID or tag it',
      ],
    ],
    [
      'own subnets without their VPC',
      { zones: [ownA] },
      [
        'networks.zones[0].workersSubnetID: expected networks.vpc.id beside it: the VPC that the subnet is in',
      ],
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
        'networks.zones[1].workersSubnetID: expected one that no other zone has, found "subnet-a", which networks.zones[0] has',
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
        'networks.zones[1].publicSubnetID: expected a subnet of this zone alone, found the one of networks.zones[0]',
      ],
    ],
    [
      'one subnet, public and internal',
      { vpc: existing, zones: [{ ...ownA, publicSubnetID: 'subnet-p', internalSubnetID: 'subnet-p' }] },
      [
        'networks.zones[0].internalSubnetID: expected another subnet than publicSubnetID: that one has a route to the internet gateway, this one to a NAT',
      ],
    ],
    [
      'load balancer subnets beside CIDRs',
      { vpc: existing, zones: [{ ...zoneA, publicSubnetID: 'subnet-p', internalSubnetID: 'subnet-i' }] },
      [
        'networks.zones[0].publicSubnetID: expected nothing: it goes only with workersSubnetID; without it the subnet is made',
        'networks.zones[0].internalSubnetID: expected nothing: it goes only with workersSubnetID; without it the subnet is made',
      ],
    ],
    [
      'an address beside own subnets',
      { vpc: existing, zones: [{ ...ownA, elasticIPAllocationID: 'eipalloc-1' }] },
      [
        'networks.zones[0].elasticIPAllocationID: expected the CIDRs workers and public beside it: the address is for the NAT gateway of subnets that are made',
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
        'networks.zones[1].elasticIPAllocationID: expected one that no other zone has, found "eipalloc-1", which networks.zones[0] has',
      ],
    ],
    [
      'an address that is none',
      { zones: [{ ...zoneA, elasticIPAllocationID: '1.2.3.4' }] },
      [
        'networks.zones[0].elasticIPAllocationID: expected the allocation id of an elastic IP address (such as eipalloc-0123456789abcdef0), found "1.2.3.4"',
      ],
    ],
    [
      'no VPC',
      { vpc: {} },
      ['networks.vpc: expected the id of a VPC of yours, or the cidr of one that is made, found neither'],
    ],
    [
      'two VPCs',
      { vpc: { ...made, ...existing } },
      [
        'networks.vpc: expected id or cidr, found both: a VPC of yours has its CIDR, and one that is made has no id',
      ],
    ],
    [
      'a VPC that is none',
      { vpc: { id: 'my-vpc' } },
      ['networks.vpc.id: expected the id of a VPC (such as vpc-0123456789abcdef0), found "my-vpc"'],
    ],
    [
      'ignored tags that are none, or not the user’s',
      { rest: { ignoreTags: { keys: ['', 'a*', 'Name', 'kubernetes.io/x', 'gardener.cloud/x', 'Names'] } } },
      [
        'ignoreTags.keys[0]: expected the key of a tag (letters, digits, spaces and _ + - = . : / @), found an empty string',
        'ignoreTags.keys[1]: expected the key of a tag (letters, digits, spaces and _ + - = . : / @), found "a*"',
        'ignoreTags.keys[2]: expected a tag that is yours, found "Name": Name is kept for the infrastructure',
        'ignoreTags.keys[3]: expected a tag that is yours, found "kubernetes.io/x": kubernetes.io is kept for the infrastructure',
        'ignoreTags.keys[4]: expected a tag that is yours, found "gardener.cloud/x": gardener.cloud is kept for the infrastructure',
      ],
    ],
    [
      'ignored prefixes that are not the user’s',
      { rest: { ignoreTags: { keyPrefixes: ['Na', 'kube', 'kubernetes.io/cluster', 'gardener.cloud'] } } },
      [
        'ignoreTags.keyPrefixes[0]: expected a tag that is yours, found "Na": Name is kept for the infrastructure',
        'ignoreTags.keyPrefixes[1]: expected a tag that is yours, found "kube": kubernetes.io is kept for the infrastructure',
        'ignoreTags.keyPrefixes[2]: expected a tag that is yours, found "kubernetes.io/cluster": kubernetes.io is kept for the infrastructure',
        'ignoreTags.keyPrefixes[3]: expected a tag that is yours, found "gardener.cloud": gardener.cloud is kept for the infrastructure',
      ],
    ],
  ])('%s', (_, parts, expected) => {
    expect(lines(configProblems(configOf(parts)))).toEqual(expected)
  })
})

describe('CIDRs that do not fit are refused', () => {
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
        'networks.vpc.ipv6IpamPool.cidrBlock: expected networks.vpc.ipv6IpamPool.id beside it: the pool that the CIDR is of',
      ],
    ],
    [
      'a pool CIDR for a shoot without IPv6',
      pool({ id: 'ipam-pool-1', cidrBlock: '2001:db8::/56' }),
      {},
      [
        'networks.vpc.ipv6IpamPool.cidrBlock: expected a shoot with the IP family IPv6 beside it, found one without',
      ],
    ],
  ])('%s', (_, parts, networking, expected) => {
    expect(lines(cidrProblems(configOf(parts), { ...shoot, ...networking }))).toEqual(expected)
  })

  test.each<[string, Partial<ShootNetworking>, string[]]>([
    ['a shoot of no family', { ipFamilies: undefined }, ['networks.zones[0].workers']],
    ['an IPv4 shoot', { ipFamilies: ['IPv4'] }, ['networks.zones[0].workers']],
    ['a dual-stack shoot', { ipFamilies: ['IPv4', 'IPv6'] }, ['networks.zones[0].workers']],
    ['an IPv6 shoot', { ipFamilies: ['IPv6'] }, []],
  ])('the CIDR of the workers counts where nodes have IPv4: %s', (_, networking, expected) => {
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

describe('zones of the CloudProfile', () => {
  const config = configOf({ zones: [zoneA, zoneB] })
  test.each<[string, string[] | undefined, string[], string[]]>([
    ['that it offers are good', ['eu-west-1a', 'eu-west-1b'], [], []],
    [
      'that it does not offer are refused',
      ['eu-west-1a'],
      [],
      ['networks.zones[1].name: expected one of the zones of the region (eu-west-1a), found "eu-west-1b"'],
    ],
    ['that it offers no longer stay where they are', ['eu-west-1a'], ['eu-west-1b'], []],
    ['do not matter when it does not know the region', undefined, [], []],
  ])('%s', (_, offered, there, expected) => {
    expect(lines(cloudProfileProblems(config, offered, zone => there.includes(zone)))).toEqual(expected)
  })
})

describe('an update', () => {
  test.each<[string, Parts, Parts]>([
    ['without a change', {}, {}],
    ['that adds a zone', {}, { zones: [zoneA, zoneB] }],
    ['that adds a file system', {}, { rest: { elasticFileSystem: { enabled: true } } }],
    ['that turns on dual-stack', {}, { rest: { dualStack: { enabled: true } } }],
    ['that adds a pool', {}, { vpc: { ...made, ipv6IpamPool: { id: 'ipam-pool-1' } } }],
    ['of endpoints', {}, { vpc: { ...made, gatewayEndpoints: ['s3'] } }],
    ['of an address', {}, { zones: [{ ...zoneA, elasticIPAllocationID: 'eipalloc-1' }] }],
    [
      'that names load balancer subnets',
      { vpc: existing, zones: [ownA] },
      { vpc: existing, zones: [{ ...ownA, publicSubnetID: 'subnet-p' }] },
    ],
    ['of ignored tags', {}, { rest: { ignoreTags: { keys: ['a'] } } }],
  ])('%s is made', (_, before, after) => {
    expect(lines(updateProblems(configOf(before), configOf(after)))).toEqual([])
  })

  const cannot = (found: string, expected = 'nothing') =>
    `expected ${expected} as before, found ${found}: it cannot be changed once the shoot is there`
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
      'networks.zones: expected at least the 2 zones of before, found 1: zones cannot be removed',
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
      'dualStack.enabled: expected true as before, found false: IPv6 cannot be taken away',
    ],
  ])('%s is refused', (_, before, after, expected) => {
    expect(lines(updateProblems(configOf(before), configOf(after)))).toEqual([expected])
  })
})
