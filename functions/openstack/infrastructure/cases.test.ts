import { describe, expect, test } from 'vitest'
import { recordOf } from '../../../shared/decode/record-of.ts'
import { contentOf, counting, createWorld, type ShootParts, shootIn, type World } from './testing/life.ts'

const name = 'shoot--os--a'
const poolId = ({ openstack }: World, pool: string) =>
  openstack.resources('subnetPool').find(one => one.name === pool)?.id ?? ''
const dual = { ipFamilies: ['IPv4', 'IPv6'], floatingPoolName: 'public-dual' }
const six = [name, `${name}-ipv6`, `${name}-ipv6-pod`, `${name}-ipv6-svc`]

interface Case {
  readonly parts?: (world: World) => ShootParts
  readonly subnets?: readonly string[]
  /** The most calls of create and idle. */
  readonly most?: readonly [create: number, idle: number]
}

const cases: Readonly<Record<string, Case>> = {
  default: {},
  'deprecated worker field': { parts: () => ({ networks: { workers: '', worker: '10.250.0.0/16' } }) },
  'floating subnet': { parts: () => ({ floatingPoolName: 'public-multi', floatingPoolSubnetName: 'fip-*' }) },
  'first floating subnet is full': {
    parts: ({ openstack }) => {
      const pool = openstack.resources('network').find(one => one.name === 'public-full')
      const full = openstack.resources('subnet').find(one => one.name === 'full-a')
      openstack.add('port', { network_id: pool?.id, fixed_ips: [{ subnet_id: full?.id }] }, { project: '' })
      return { floatingPoolName: 'public-full', floatingPoolSubnetName: 'full-*' }
    },
    most: [16, 8],
  },
  'no SNAT': { parts: () => ({ profile: { useSNAT: false } }) },
  'no DNS servers': { parts: () => ({ profile: { dnsServers: [] } }) },
  'share network disabled': { parts: () => ({ networks: { shareNetwork: { enabled: false } } }) },
  'subnet pool': {
    parts: world => ({
      networks: { workers: '', subnetPool: { id: poolId(world, 'v4pool'), prefixLength: 26 } },
      networking: { pods: '100.96.0.0/11' },
    }),
  },
  'dual stack from a pool': {
    parts: world => ({ ...dual, networks: { ipv6: { subnetPoolID: poolId(world, 'v6pool') } } }),
    subnets: six,
    most: [24, 10],
  },
  'dual stack with CIDRs and without DNS servers': {
    parts: () => ({
      ...dual,
      networks: {
        ipv6: { nodeCIDR: '2001:db8:7::/64', podCIDR: '2001:db8:8::/64', serviceCIDR: '2001:db8:9::/64' },
      },
    }),
    subnets: six,
    most: [24, 10],
  },
}

describe.each(Object.entries(cases))('%s', (_, { parts = () => ({}), subnets = [name], most = [15, 8] }) => {
  test('is created, is left alone by the next reconcile, and leaves nothing', async () => {
    const world = createWorld()
    const shoot = shootIn(world, parts(world))
    const before = contentOf(world)
    const created = await counting(world, () => shoot.run('reconcile'))
    expect(contentOf(world)).toMatchObject({
      network: [name],
      router: [name],
      subnet: subnets,
      securityGroup: [name],
      keypair: [name],
      port: [...new Set(subnets.slice(0, 2))].map(() => 'network:router_interface'),
    })
    expect(created.calls).toBeLessThanOrEqual(most[0])
    expect(shoot.status()).toMatchObject({ providerStatus: { node: { keyName: name } } })
    const status = shoot.status()
    const idle = await counting(world, () => shoot.run('reconcile'))
    expect(idle.writes).toEqual([])
    expect(idle.calls).toBeLessThanOrEqual(most[1])
    expect(shoot.status()).toMatchObject({ providerStatus: status.providerStatus })
    const removed = await counting(world, () => shoot.run('remove'))
    expect(removed.calls).toBeLessThanOrEqual(subnets.length > 1 ? 14 : 12)
    expect(contentOf(world)).toEqual(before)
    expect(Object.keys(shoot.state()).sort()).toEqual(['CreatedFor', 'Deleting', 'Project'])
  })
})

test('the status and the state have the form of the Go extension', async () => {
  const world = createWorld()
  const shoot = shootIn(world, {
    ...dual,
    networks: { ipv6: { subnetPoolID: poolId(world, 'v6pool') } },
    profile: { dnsServers: ['10.10.10.10', '2001:db8::53'] },
  })
  await shoot.run('reconcile')
  const id = (kind: 'network' | 'router' | 'subnet' | 'securityGroup', of = name) =>
    world.openstack.resources(kind).find(one => one.name === of)?.id
  const pool = world.openstack.resources('network').find(one => one.name === 'public-dual')?.id
  const status = shoot.status()
  const router = recordOf(recordOf(recordOf(status.providerStatus).networks).router)
  const addresses = (router.externalFixedIP ?? []) as readonly string[]
  expect(shoot.state()).toEqual({
    CreatedFor: `uid-${name}`,
    Project: expect.any(String) as string,
    FloatingNetwork: pool,
    FloatingNetworkName: 'public-dual',
    Network: id('network'),
    NetworkName: name,
    Router: id('router'),
    Subnet: id('subnet'),
    SubnetIPv6: id('subnet', six[1]),
    SubnetIPv6Pod: id('subnet', six[2]),
    SubnetIPv6Svc: id('subnet', six[3]),
    NodeSubnetIPv6CIDR: '2001:db8:1::/64',
    PodSubnetIPv6CIDR: '2001:db8:1:1::/64',
    ServiceSubnetIPv6CIDR: '2001:db8:1:2::/112',
    SecurityGroup: id('securityGroup'),
    SecurityGroupName: name,
    KeyPair: name,
  })
  expect(addresses).toHaveLength(2)
  expect(status).toMatchObject({
    egressCIDRs: addresses.map(ip => `${ip}/${ip.includes(':') ? 128 : 32}`),
    networking: {
      nodes: ['10.250.0.0/16', '2001:db8:1::/64'],
      pods: ['100.96.0.0/11', '2001:db8:1:1::/64'],
      services: ['100.64.0.0/13', '2001:db8:1:2::/112'],
    },
    providerStatus: {
      kind: 'InfrastructureStatus',
      networks: {
        id: id('network'),
        name,
        floatingPool: { id: pool, name: 'public-dual' },
        router: { id: id('router'), ip: addresses[0] },
        subnets: [
          { purpose: 'nodes', id: id('subnet'), cidr: '10.250.0.0/16' },
          { purpose: 'nodes-ipv6', id: id('subnet', six[1]), cidr: '' },
          { purpose: 'pods', id: id('subnet', six[2]), cidr: '' },
          { purpose: 'services', id: id('subnet', six[3]), cidr: '' },
        ],
      },
      node: { keyName: name },
      securityGroups: [{ purpose: 'nodes', id: id('securityGroup'), name }],
    },
  })
  const rules = world.openstack
    .resources('securityGroupRule')
    .filter(one => one.security_group_id === id('securityGroup'))
  expect(rules).toHaveLength(8)
})

test('a default floating subnet counts without a region and with a wildcard (D1)', async () => {
  const world = createWorld()
  const floatingPools = [{ name: 'public-*', defaultFloatingSubnet: 'other-c' }]
  const shoot = shootIn(world, {
    floatingPoolName: 'public-multi',
    profile: { constraints: { floatingPools } },
  })
  await shoot.run('reconcile')
  const [subnet] = world.openstack.resources('subnet').filter(one => one.name === 'other-c')
  const [router] = world.openstack.resources('router')
  expect(router?.external_gateway_info).toMatchObject({ external_fixed_ips: [{ subnet_id: subnet?.id }] })
  expect(shoot.state().FloatingPoolSubnetName).toBe('other-c')
})
