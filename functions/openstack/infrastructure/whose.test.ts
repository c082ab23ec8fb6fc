import { describe, expect, test } from 'vitest'
import { contentOf, counting, createWorld, nothing, otherKey, shootIn, sshPublicKey } from './testing/life.ts'

const name = 'shoot--os--a'
const strangers = 'trellis.gardener.cloud/created-for=another-uid'

const withStrangers = () => {
  const world = createWorld()
  const { openstack } = world
  const pool = openstack.resources('network').find(one => one.name === 'public')
  const mark = { name, description: strangers }
  const made = {
    network: openstack.add('network', mark).id,
    router: openstack.add('router', { ...mark, external_gateway_info: { network_id: pool?.id } }).id,
    securityGroup: openstack.add('securityGroup', mark).id,
  }
  const show = () =>
    (['network', 'router', 'securityGroup'] as const).map(kind =>
      openstack.resources(kind).find(one => one.id === made[kind]),
    )
  return { world, show, made }
}

test('resources of another object with our names are never changed or deleted', async () => {
  const { world, show } = withStrangers()
  const before = structuredClone(show())
  const shoot = shootIn(world)
  await shoot.run('reconcile')
  expect(contentOf(world)).toMatchObject({ network: [name, name], router: [name, name] })
  await shoot.run('remove')
  expect(show()).toEqual(before)
  expect(contentOf(world)).toEqual({ ...nothing, network: [name], router: [name], securityGroup: [name] })
})

test('a deletion without a state deletes nothing but what has the mark of the object', async () => {
  const { world } = withStrangers()
  world.openstack.add('network', { name })
  world.openstack.add('securityGroup', {
    name,
    description: `Cluster Nodes ${strangers.replace('another-uid', `uid-${name}`)}`,
  })
  await shootIn(world).run('remove')
  expect(contentOf(world)).toMatchObject({ network: [name, name], router: [name], securityGroup: [name] })
})

test('a deletion goes on with recorded resources only', async () => {
  const world = createWorld()
  const shoot = shootIn(world)
  await shoot.run('reconcile')
  world.openstack.add('network', { name })
  world.openstack.add('securityGroup', { name })
  await shoot.run('remove')
  expect(contentOf(world)).toEqual({ ...nothing, network: [name], securityGroup: [name] })
})

describe('without a state', () => {
  test('resources of the Go extension are adopted by their names without a write', async () => {
    const world = createWorld()
    const shoot = shootIn(world)
    await shoot.run('reconcile')
    const before = shoot.state()
    for (const kind of ['network', 'router', 'subnet', 'securityGroup'] as const)
      for (const { id } of world.openstack.resources(kind).filter(one => one.name === name))
        world.openstack.put(kind, id, { description: '' })
    shoot.setStatus({})
    const { writes } = await counting(world, () => shoot.run('reconcile'))
    expect(writes).toEqual([])
    expect(shoot.state()).toEqual(before)
    await shoot.run('remove')
    expect(contentOf(world)).toEqual(nothing)
  })

  test('ids that point nowhere are replaced by those with our names', async () => {
    const world = createWorld()
    const shoot = shootIn(world)
    await shoot.run('reconcile')
    const before = shoot.state()
    const nowhere = '11111111-1111-4111-8111-111111111111'
    const data = {
      ...before,
      Network: nowhere,
      Router: nowhere,
      Subnet: nowhere,
      SecurityGroup: nowhere,
      RouterIP: '1',
    }
    const state = {
      apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'InfrastructureState',
      data,
    }
    shoot.setStatus({ state })
    expect((await counting(world, () => shoot.run('reconcile'))).writes).toEqual([])
    expect(shoot.state()).toEqual(before)
  })

  test('two networks with our name and without a mark are an error that names both', async () => {
    const world = createWorld()
    const ids = [world.openstack.add('network', { name }).id, world.openstack.add('network', { name }).id]
    const error = await shootIn(world)
      .run('reconcile')
      .catch((thrown: Error) => thrown)
    for (const id of ids) expect(String(error)).toContain(id)
    expect(contentOf(world)).toEqual({ ...nothing, network: [name, name] })
  })
})

test('a key pair with our name and another key is an error, and stays', async () => {
  const world = createWorld()
  const stranger = shootIn(world, { publicKey: otherKey })
  await stranger.run('reconcile', { call: 9, when: 'after' }).catch(() => undefined)
  const [pair] = world.openstack.resources('keypair')
  expect(pair).toBeDefined()
  const fresh = shootIn(world, { uid: 'fresh' })
  await expect(fresh.run('reconcile')).rejects.toMatchObject({
    message: expect.stringContaining(`key pair ${name} with another key`),
  })
  await fresh.run('remove')
  expect(world.openstack.resources('keypair')).toEqual([pair])
})

test('another SSH key replaces the recorded key pair', async () => {
  const world = createWorld()
  const shoot = shootIn(world)
  await shoot.run('reconcile')
  shoot.change({ publicKey: otherKey })
  await shoot.run('reconcile')
  expect(world.openstack.resources('keypair')).toMatchObject([{ name, public_key: otherKey }])
  expect(otherKey).not.toBe(sshPublicKey)
})

test('a shoot whose name begins with ours keeps its load balancers and its network', async () => {
  const world = createWorld()
  const [short, long] = [shootIn(world), shootIn(world, { name: `${name}-c`, publicKey: otherKey })]
  await short.run('reconcile')
  await long.run('reconcile')
  const vip = { vip_subnet_id: short.state().Subnet, vip_address: '10.250.9.9' }
  world.openstack.add('loadBalancer', { name: `kube_service_${name}_default_web`, ...vip })
  const other = { name: `kube_service_${name}-c_default_web`, vip_subnet_id: long.state().Subnet }
  const kept = world.openstack.add('loadBalancer', other)
  await world.clock.advance(10_000)
  await short.run('remove')
  expect(world.openstack.resources('loadBalancer').map(({ id }) => id)).toEqual([kept.id])
  expect(contentOf(world)).toMatchObject({
    network: [`${name}-c`],
    router: [`${name}-c`],
    keypair: [`${name}-c`],
  })
})

test.each(['reconcile', 'remove'] as const)(
  'credentials of another project are refused by %s, which would find nothing there',
  async operation => {
    const world = createWorld()
    const shoot = shootIn(world)
    await shoot.run('reconcile')
    const before = contentOf(world)
    const elsewhere = shootIn(world, {
      secret: { username: 'other', password: 'other-secret', tenantName: 'other' },
    })
    elsewhere.setStatus(shoot.status())
    await expect(elsewhere.run(operation)).rejects.toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      message: expect.stringMatching(
        /^the infrastructure was created in the project \S+, but the credentials in the Secret/,
      ),
    })
    expect(elsewhere.status()).toEqual(shoot.status())
    expect(contentOf(world)).toEqual(before)
  },
)
