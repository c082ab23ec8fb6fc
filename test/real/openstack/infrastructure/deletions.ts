import { expect, test } from 'vitest'
import type { RunningCloud } from '../cloud/start-cloud.ts'
import { namesIn } from '../lives/cloud-content.ts'
import { succeeded } from '../lives/life.ts'
import { type InfrastructureWorld, newWorld } from './world.ts'

/** Creates a load balancer as the cloud provider does, and waits for it. */
const loadBalancer = async (world: InfrastructureWorld, name: string, subnet: string): Promise<string> => {
  const { json } = await world.call('POST', 'load-balancer', '/v2/lbaas/loadbalancers', {
    body: { loadbalancer: { name, vip_subnet_id: subnet } },
  })
  const { id } = json.loadbalancer
  await expect
    .poll(
      async () =>
        (await world.call('GET', 'load-balancer', `/v2/lbaas/loadbalancers/${id}`)).json.loadbalancer,
    )
    .toMatchObject({ provisioning_status: 'ACTIVE' })
  return id
}

/** Deletions that meet resources of others, or nothing any more. */
export const defineInfrastructureDeletions = (cloud: () => RunningCloud): void => {
  test('delete-foreign-port: the port of others is named and stays, and the deletion ends once it is gone', async () => {
    const world = await newWorld(cloud(), 'delete-foreign-port')
    const life = world.life()
    succeeded(await life.create())
    const [network] = (await world.content()).networks
    const port = await world.create('port', { name: 'someone-else', network_id: network?.id })
    const blocked = await life.remove()
    expect(blocked.object?.status?.lastError?.codes).toEqual(['ERR_INFRA_DEPENDENCIES'])
    expect(blocked.object?.status?.lastError?.description).toContain('someone-else')
    expect((await world.content()).ports.map(({ name }) => name)).toContain('someone-else')
    await world.call('DELETE', 'network', `/v2.0/ports/${port}`)
    expect((await life.ask('reconcile')).object).toBeUndefined()
    expect(namesIn(await world.content())).toEqual({})
  })

  test('delete-own-network-foreign-port: the same in a network of the owner, which stays', async () => {
    const world = await newWorld(cloud(), 'delete-own-network-foreign-port')
    const id = await world.create('network', { name: 'custom-net-4' })
    const life = world.life({ config: { networks: { workers: '10.250.0.0/16', id } } })
    succeeded(await life.create())
    const [subnet] = (await world.content()).subnets
    const port = await world.create('port', {
      name: 'someone-else-2',
      network_id: id,
      fixed_ips: [{ subnet_id: subnet?.id }],
    })
    const blocked = await life.remove()
    // The Go extension reports no code (D27).
    expect(blocked.object?.status?.lastError?.codes).toEqual(['ERR_INFRA_DEPENDENCIES'])
    expect(blocked.object?.status?.lastError?.description).toContain('someone-else-2')
    await world.call('DELETE', 'network', `/v2.0/ports/${port}`)
    expect((await life.ask('reconcile')).object).toBeUndefined()
    expect(namesIn(await world.content())).toEqual({ networks: ['custom-net-4'] })
  })

  test('delete-load-balancer: load balancers of the shoot go, others stay', async () => {
    const world = await newWorld(cloud(), 'delete-load-balancer')
    const elsewhere = await world.create('network', { name: 'elsewhere' })
    const other = await world.create('subnet', {
      name: 'elsewhere',
      network_id: elsewhere,
      ip_version: 4,
      cidr: '198.0.2.0/24',
    })
    const life = world.life()
    succeeded(await life.create())
    const subnet = (await world.content()).subnets.find(({ name }) => name === world.namespace)
    await loadBalancer(world, `kube_service_${world.namespace}_default_web`, subnet?.id)
    await loadBalancer(world, 'kube_service_shoot--os--another_default_web', other)
    const removed = await life.remove()
    expect(removed.object).toBeUndefined()
    const left = namesIn(await world.content())
    expect(left.loadbalancers).toEqual(['kube_service_shoot--os--another_default_web'])
    expect(left.networks).toEqual(['elsewhere'])
    expect(left.routers).toBeUndefined()
  })

  test('delete-all-gone: nothing is left to delete', async () => {
    const world = await newWorld(cloud(), 'delete-all-gone')
    const life = world.life()
    succeeded(await life.create())
    const { routers, subnets, networks, security_groups, keypairs } = await world.content()
    await world.call('PUT', 'network', `/v2.0/routers/${routers[0]?.id}/remove_router_interface`, {
      body: { subnet_id: subnets[0]?.id },
    })
    await world.call('DELETE', 'network', `/v2.0/routers/${routers[0]?.id}`)
    await world.call('DELETE', 'network', `/v2.0/networks/${networks[0]?.id}`)
    await world.call('DELETE', 'network', `/v2.0/security-groups/${security_groups[0]?.id}`)
    await world.call('DELETE', 'compute', `/v2.1/os-keypairs/${keypairs[0]?.name}`)
    const removed = await life.remove()
    expect(removed.object).toBeUndefined()
    expect(namesIn(await world.content())).toEqual({})
  })

  test('delete-never-created: an object without a state is deleted without a write', async () => {
    const world = await newWorld(cloud(), 'delete-never-created')
    const life = world.life({ secret: { password: 'wrong' } })
    expect((await life.create()).object?.status?.lastError?.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    const right = world.life()
    await right.create('wait-for-state')
    const removed = await right.remove()
    expect(removed.object).toBeUndefined()
    expect(removed.writes).toEqual([])
  })
}
