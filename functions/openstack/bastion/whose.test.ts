import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import { base, errorOf, expectNothingLeft, setUp } from './testing/steps.ts'

describe('things of others', () => {
  test('stay: a server whose name only begins alike (D13), and groups with another mark', async () => {
    const world = await setUp({ metadata: { name: 'b1' } })
    const { cloud, network } = world
    const [image] = cloud.resources('image')
    await world.until('reconcile')
    const [server] = world.servers()
    await world.until('remove')
    const theirs = {
      flavorRef: '1',
      imageRef: image?.id,
      networks: [{ uuid: network.networkId }],
    }
    cloud.add('server', { ...theirs, name: `${server?.name}0` })
    cloud.add('server', {
      ...theirs,
      name: server?.name,
      metadata: { 'trellis.gardener.cloud-created-for': 'x' },
    })
    cloud.add('securityGroup', {
      name: `${server?.name}-sg`,
      description: `${server?.name}-sg trellis.gardener.cloud/created-for=x`,
    })
    await world.until('reconcile')
    expect(world.servers()).toHaveLength(3)
    expect(world.groups()).toHaveLength(2)
    await world.until('remove')
    expect(world.servers()).toHaveLength(2)
    expect(world.groups()).toHaveLength(1)
    expect(world.addresses()).toEqual([])
  })

  test('that may be ours are named if there are several, and nothing shows which one is', async () => {
    const { cloud, step, writes } = await setUp()
    const ids = [1, 2].map(() => cloud.add('securityGroup', { name: `${base}-sg`, description: '' }).id)
    const error = await errorOf(step('reconcile'))
    for (const id of ids) expect(error.message).toContain(id)
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(writes()).toEqual([])
  })

  test('stay: a floating IP with our description that leads to their server', async () => {
    const world = await setUp()
    const { cloud, network } = world
    const [image] = cloud.resources('image')
    const fields = { name: 'theirs', flavorRef: '1', imageRef: image?.id }
    const server = cloud.add('server', { ...fields, networks: [{ uuid: network.networkId }] })
    const port = cloud.resources('port').find(({ device_id }) => device_id === server.id)
    const theirs = cloud.add('floatingIp', {
      description: base,
      floating_network_id: network.floatingNetworkId,
      port_id: port?.id,
    })
    await world.until('reconcile')
    expect(world.addresses()).toHaveLength(2)
    await world.until('remove')
    expect(world.addresses().map(({ id }) => id)).toEqual([theirs.id])
  })
})

test('a deletion goes on although others have servers of the same name', async () => {
  const world = await setUp()
  const { cloud, network, until, clock, step, servers } = world
  await until('reconcile')
  const [image] = cloud.resources('image')
  const fields = { name: base, flavorRef: '1', imageRef: image?.id, networks: [{ uuid: network.networkId }] }
  const theirs = [1, 2].map(() => cloud.add('server', fields).id)
  await step('remove')
  await clock.advance(60_000)
  await until('remove')
  expect(servers().map(({ id }) => id)).toEqual(theirs)
  expect(world.groups()).toEqual([])
})

describe('a lost answer', () => {
  test.each(['/security-groups', '/servers', '/floatingips'])(
    'to POST %s creates nothing twice, and the deletion finds what it created',
    async path => {
      const world = await setUp()
      const { cloud, step, until } = world
      const lost = {
        method: 'POST',
        path: new RegExp(`${path}$`),
        when: 'after',
        effect: { kind: 'drop' },
      } as const
      cloud.faults.add(lost)
      await until('reconcile').catch(() => undefined)
      await until('reconcile')
      expect(world.groups()).toHaveLength(1)
      expect(world.servers()).toHaveLength(1)
      expect(world.addresses()).toHaveLength(1)
      await until('remove')
      expectNothingLeft(world)
      cloud.faults.add(lost)
      await step('reconcile').catch(() => undefined)
      await until('remove')
      expectNothingLeft(world)
    },
  )
})
