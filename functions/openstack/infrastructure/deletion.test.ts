import { describe, expect, test } from 'vitest'
import { contentOf, counting, createWorld, nothing, shootIn } from './testing/life.ts'

const name = 'shoot--os--a'
const dependencies = ['ERR_INFRA_DEPENDENCIES']
const made = async (networks: object = {}) => {
  const world = createWorld()
  const shoot = shootIn(world, { networks })
  await shoot.run('reconcile')
  return { world, shoot }
}

describe('ports of others', () => {
  test('in a managed network are named, and nothing is deleted before they are gone', async () => {
    const { world, shoot } = await made()
    const fields = {
      name: 'someone-else',
      network_id: shoot.state().Network,
      device_owner: 'compute:nova',
      device_id: 'vm-7',
    }
    const port = world.openstack.add('port', fields)
    const before = contentOf(world)
    await expect(shoot.run('remove')).rejects.toMatchObject({
      codes: dependencies,
      message: expect.stringContaining(`port ${port.id} (someone-else), owner compute:nova, device vm-7`),
    })
    expect(contentOf(world)).toEqual(before)
    world.openstack.remove('port', port.id)
    await shoot.run('remove')
    expect(contentOf(world)).toEqual(nothing)
  })

  test('in a given network block only the deletion of our subnet', async () => {
    const world = createWorld()
    const network = world.openstack.add('network', { name: 'given' })
    const other = world.openstack.add('subnet', {
      name: 'other',
      network_id: network.id,
      cidr: '10.9.0.0/24',
    })
    const elsewhere = { network_id: network.id, name: 'elsewhere', fixed_ips: [{ subnet_id: other.id }] }
    world.openstack.add('port', elsewhere)
    const shoot = shootIn(world, { networks: { id: network.id } })
    await shoot.run('reconcile')
    const fields = { name: 'here', network_id: network.id, fixed_ips: [{ subnet_id: shoot.state().Subnet }] }
    const port = world.openstack.add('port', fields)
    await expect(shoot.run('remove')).rejects.toMatchObject({
      codes: dependencies,
      message: expect.stringContaining('(here)'),
    })
    world.openstack.remove('port', port.id)
    await shoot.run('remove')
    expect(contentOf(world)).toEqual({
      ...nothing,
      network: ['given'],
      subnet: ['other'],
      port: ['elsewhere'],
    })
  })

  test('with our security group are named', async () => {
    const { world, shoot } = await made()
    const network = world.openstack.add('network', { name: 'other' })
    const fields = { name: 'user', network_id: network.id, security_groups: [shoot.state().SecurityGroup] }
    const port = world.openstack.add('port', fields)
    await expect(shoot.run('remove')).rejects.toMatchObject({
      codes: dependencies,
      message: expect.stringContaining(port.id),
    })
    world.openstack.remove('port', port.id)
    await shoot.run('remove')
    expect(contentOf(world)).toEqual({ ...nothing, network: ['other'] })
  })
})

test('the network is deleted only after the load balancers are gone (D6)', async () => {
  const { world, shoot } = await made()
  world.openstack.add('loadBalancer', {
    name: `kube_service_${name}_default_web`,
    vip_subnet_id: shoot.state().Subnet,
  })
  await world.clock.advance(10_000)
  const waits: string[] = []
  const { writes } = await counting(world, async () => waits.push(...(await shoot.run('remove'))))
  expect(waits[0]).toContain(`load balancer kube_service_${name}_default_web`)
  expect(writes.findIndex(call => call.includes('loadbalancers'))).toBeLessThan(
    writes.findIndex(call => call.includes('remove_router_interface')),
  )
  expect(contentOf(world)).toEqual(nothing)
})

test('a load balancer that changes is waited for', async () => {
  const { world, shoot } = await made()
  const fields = { name: `kube_service_${name}_default_web`, vip_subnet_id: shoot.state().Subnet }
  const { id } = world.openstack.add('loadBalancer', fields)
  await world.clock.advance(10_000)
  world.openstack.put('loadBalancer', id, { provisioning_status: 'PENDING_UPDATE' })
  const removed = shoot.run('remove')
  await world.clock.advance(5_000)
  world.openstack.put('loadBalancer', id, { provisioning_status: 'ACTIVE' })
  await removed
  expect(contentOf(world)).toEqual(nothing)
})

test('routes to nodes are removed from a given router, and others stay', async () => {
  const world = createWorld()
  const pool = world.openstack.resources('network').find(one => one.name === 'public')
  const router = world.openstack.add('router', {
    name: 'given',
    external_gateway_info: { network_id: pool?.id },
  })
  const shoot = shootIn(world, { networks: { router: { id: router.id } } })
  await shoot.run('reconcile')
  const others = [{ destination: '10.2.0.0/24', nexthop: '203.0.113.9' }]
  const toNode = { destination: '10.1.0.0/24', nexthop: '10.250.0.7' }
  world.openstack.put('router', router.id, { routes: [toNode, ...others] })
  await shoot.run('remove')
  expect(world.openstack.resources('router')).toMatchObject([{ name: 'given', routes: others }])
  expect(contentOf(world)).toEqual({ ...nothing, router: ['given'] })
})

test('a deletion of what is gone already succeeds', async () => {
  const { world, shoot } = await made()
  for (const kind of ['port', 'subnet', 'router', 'network', 'securityGroup', 'keypair'] as const)
    for (const one of world.openstack.resources(kind))
      if (one.name === name || one.device_owner === 'network:router_interface')
        world.openstack.remove(kind, one.id)
  const { writes } = await counting(world, () => shoot.run('remove'))
  expect(writes).toEqual([])
  expect(Object.keys(shoot.state()).sort()).toEqual(['CreatedFor', 'Deleting', 'Project'])
})

test('a deletion looks for no names of IPv6 without dual stack (D5)', async () => {
  const { world, shoot } = await made()
  const before = world.openstack.calls().length
  await shoot.run('remove')
  expect(
    world.openstack
      .calls()
      .slice(before)
      .filter(({ path }) => path.includes('ipv6')),
  ).toEqual([])
})

test('without a state, refused credentials mean that nothing was made', async () => {
  const world = createWorld()
  const shoot = shootIn(world, { secret: { password: 'wrong' } })
  await shoot.run('remove')
  const { world: other, shoot: existing } = await made()
  other.openstack.faults.add({
    service: 'identity',
    times: 9,
    effect: { kind: 'answer', status: 401, body: { error: { title: 'Unauthorized', message: 'no' } } },
  })
  await expect(existing.run('remove')).rejects.toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
})
