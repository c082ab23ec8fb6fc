import { describe, expect, test } from 'vitest'
import type {
  CloudItem,
  SimulatedOpenStack,
} from '../../../sandbox/providers/openstack/simulator/openstack.ts'
import { counting, createWorld, type ShootParts, shootIn, type World } from './testing/life.ts'

const name = 'shoot--os--a'
const of = (openstack: SimulatedOpenStack, kind: 'network' | 'router' | 'subnet'): CloudItem => {
  const found = openstack.resources(kind).find(one => one.name === name)
  if (found === undefined) throw new Error(`no ${kind} has the name ${name}`)
  return found
}

describe('a difference is corrected, and nothing else', () => {
  test.each<[string, (openstack: SimulatedOpenStack) => void, RegExp]>([
    [
      'a removed interface',
      openstack => {
        for (const { id, device_owner } of openstack.resources('port'))
          if (device_owner === 'network:router_interface') openstack.remove('port', id)
      },
      /^PUT .*add_router_interface$/,
    ],
    [
      'a deleted rule',
      openstack => {
        const rule = openstack.resources('securityGroupRule').find(one => one.protocol === 'tcp')
        openstack.remove('securityGroupRule', rule?.id ?? '')
      },
      /^POST .*security-group-rules$/,
    ],
    [
      'other DNS servers',
      openstack => openstack.put('subnet', of(openstack, 'subnet').id, { dns_nameservers: ['9.9.9.9'] }),
      /^PUT .*subnets/,
    ],
    [
      'a renamed network',
      openstack => openstack.put('network', of(openstack, 'network').id, { name: 'renamed' }),
      /^PUT .*networks/,
    ],
    [
      'a renamed router',
      openstack => openstack.put('router', of(openstack, 'router').id, { name: 'renamed' }),
      /^PUT .*routers/,
    ],
  ])('%s', async (_, drift, call) => {
    const world = createWorld()
    const shoot = shootIn(world)
    await shoot.run('reconcile')
    await world.clock.advance(60_000)
    drift(world.openstack)
    const { writes } = await counting(world, () => shoot.run('reconcile'))
    expect(writes).toEqual([expect.stringMatching(call)])
    expect((await counting(world, () => shoot.run('reconcile'))).writes).toEqual([])
  })

  test('a rule of others stays', async () => {
    const world = createWorld()
    const shoot = shootIn(world)
    await shoot.run('reconcile')
    const rule = {
      security_group_id: shoot.state().SecurityGroup,
      direction: 'ingress',
      protocol: 'tcp',
      port_range_min: 80,
      port_range_max: 80,
    }
    const { id } = world.openstack.add('securityGroupRule', rule)
    expect((await counting(world, () => shoot.run('reconcile'))).writes).toEqual([])
    expect(world.openstack.resources('securityGroupRule').some(one => one.id === id)).toBe(true)
  })

  test('DNS servers that the CloudProfile no longer has are removed once (D24)', async () => {
    const world = createWorld()
    const parts: { profile: object } = { profile: {} }
    const shoot = shootIn(world, parts)
    await shoot.run('reconcile')
    parts.profile = { dnsServers: [] }
    expect((await counting(world, () => shoot.run('reconcile'))).writes).toHaveLength(1)
    expect(of(world.openstack, 'subnet').dns_nameservers).toEqual([])
    expect((await counting(world, () => shoot.run('reconcile'))).writes).toEqual([])
  })
})

test('a step waits until the port of the router is active', async () => {
  const world = createWorld({ scale: 10 })
  const shoot = shootIn(world)
  const waits = await shoot.run('reconcile')
  expect(waits).toContain('Waiting for router interface nodes to become available')
  expect(
    world.openstack.resources('port').find(one => one.device_owner === 'network:router_interface'),
  ).toMatchObject({ status: 'ACTIVE' })
})

const network =
  (fields: object) =>
  (world: World): ShootParts => ({
    networks: { id: world.openstack.add('network', { name: 'given', ...fields }).id },
  })
const router =
  (fields: (world: World) => object) =>
  (world: World): ShootParts => ({
    networks: { router: { id: world.openstack.add('router', { name: 'given', ...fields(world) }).id } },
  })
const nowhere = '11111111-1111-4111-8111-111111111111'
const config = 'ERR_CONFIGURATION_PROBLEM'

describe('bad input is refused before anything is created', () => {
  test.each<[string, (world: World) => ShootParts, string, string]>([
    [
      'an unknown floating pool',
      () => ({ floatingPoolName: 'nope' }),
      config,
      'spec.providerConfig.floatingPoolName: Not found: "nope"',
    ],
    [
      'an unknown network',
      () => ({ networks: { id: nowhere } }),
      'ERR_INFRA_DEPENDENCIES',
      `networks.id: the project has no network ${nowhere}`,
    ],
    [
      'a network of another project',
      ({ openstack }) => ({ networks: { id: openstack.add('network', {}, { project: 'other' }).id } }),
      config,
      'networks.id: the project has no network',
    ],
    [
      'an unknown router',
      () => ({ networks: { router: { id: nowhere } } }),
      config,
      `networks.router.id: missing expected router ${nowhere}`,
    ],
    ['a router without a gateway', router(() => ({})), config, 'has no gateway'],
    [
      'a router to another network',
      router(({ openstack }) => ({
        external_gateway_info: {
          network_id: openstack.resources('network').find(one => one.name === 'public-multi')?.id,
        },
      })),
      config,
      'and floatingPoolName is public',
    ],
    [
      'a range of another subnet',
      world => {
        const parts = network({})(world)
        const { id } = parts.networks as { id: string }
        world.openstack.add('subnet', { name: 'taken', network_id: id, cidr: '10.250.8.0/24' })
        return parts
      },
      config,
      'networks.workers: 10.250.0.0/16 overlaps with cidr 10.250.8.0/24 of subnet',
    ],
    ['an unknown region', () => ({ region: 'Nowhere' }), config, 'no region "Nowhere"'],
    ['a wrong password', () => ({ secret: { password: 'wrong' } }), 'ERR_INFRA_UNAUTHORIZED', 'Unauthorized'],
    ['an unknown field', () => ({ networks: { foo: 1 } }), config, 'unknown field "networks.foo"'],
    ['two families without ranges', () => ({ ipFamilies: ['IPv4', 'IPv6'] }), config, 'networks.ipv6'],
  ])('%s', async (_, partsOf, code, text) => {
    const world = createWorld()
    const parts = partsOf(world)
    const { writes } = await counting(world, async () => {
      const error = await shootIn(world, parts)
        .run('reconcile')
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ message: expect.stringContaining(text) })
      expect((error as { codes: readonly string[] }).codes).toContain(code)
    })
    expect(writes).toEqual([])
  })

  test('a share network without Manila', async () => {
    const world = createWorld({ services: ['identity', 'network', 'compute', 'load-balancer'] })
    const shoot = shootIn(world, { networks: { shareNetwork: { enabled: true } } })
    await expect(shoot.run('reconcile')).rejects.toMatchObject({
      codes: [config],
      message: expect.stringContaining('sharev2'),
    })
  })
})

test.each(['network', 'router', 'subnet', 'security_group'] as const)(
  'an exceeded quota of %s has its code, and the deletion leaves nothing',
  async quota => {
    const world = createWorld({ quotas: { [quota]: 0 } })
    const shoot = shootIn(world)
    await expect(shoot.run('reconcile')).rejects.toMatchObject({ codes: ['ERR_INFRA_QUOTA_EXCEEDED'] })
    await shoot.run('remove')
    expect(world.openstack.resources('network').some(one => one.name === name)).toBe(false)
    expect(world.openstack.resources('keypair')).toEqual([])
  },
)

test('a Terraform state is refused with the way out', async () => {
  const shoot = shootIn(createWorld())
  shoot.setStatus({ state: { terraform_version: '1.0', version: 4 } })
  await expect(shoot.run('reconcile')).rejects.toThrow('it is a Terraform state, which is not supported')
})
