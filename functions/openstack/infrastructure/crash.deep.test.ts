import { describe, expect, test } from 'vitest'
import {
  contentOf,
  counting,
  createWorld,
  type Death,
  nothing,
  type ShootParts,
  shootIn,
  type World,
} from './testing/life.ts'

const name = 'shoot--os--a'
const whole = {
  ...nothing,
  network: [name],
  router: [name],
  subnet: [name],
  securityGroup: [name],
  keypair: [name],
  port: ['network:router_interface'],
}
const deaths = (calls: number): readonly Death[] =>
  Array.from({ length: calls }, (_, index) => index + 1).flatMap(call => [
    { call, when: 'before' as const },
    { call, when: 'after' as const },
  ])
const given = ({ openstack }: World): ShootParts => {
  const network = openstack.add('network', { name: 'given' })
  return { networks: { id: network.id } }
}

describe.each<[string, (world: World) => ShootParts, object]>([
  ['a managed network', () => ({}), {}],
  ['a given network', given, { network: ['given'] }],
])('with %s', (_, partsOf, differs) => {
  test.each(deaths(14))(
    'a creation that dies $when call $call is completed, and removed whole',
    async death => {
      const world = createWorld()
      const shoot = shootIn(world, partsOf(world))
      await shoot.run('reconcile', death).catch(() => undefined)
      await shoot.run('reconcile')
      expect(contentOf(world)).toEqual({ ...whole, ...differs })
      expect((await counting(world, () => shoot.run('reconcile'))).writes).toEqual([])
      await shoot.run('remove')
      expect(contentOf(world)).toEqual({ ...nothing, ...differs })
    },
  )

  test.each(deaths(14))('a creation that dies $when call $call can be removed at once', async death => {
    const world = createWorld()
    const shoot = shootIn(world, partsOf(world))
    await shoot.run('reconcile', death).catch(() => undefined)
    await shoot.run('remove')
    expect(contentOf(world)).toEqual({ ...nothing, ...differs })
  })

  test.each(deaths(12))('a deletion that dies $when call $call is completed', async death => {
    const world = createWorld()
    const shoot = shootIn(world, partsOf(world))
    await shoot.run('reconcile')
    await shoot.run('remove', death).catch(() => undefined)
    await shoot.run('remove')
    expect(contentOf(world)).toEqual({ ...nothing, ...differs })
  })
})

test.each(['network', 'router', 'subnet', 'security-group'])(
  'a create of a %s without an answer makes one resource',
  async kind => {
    const world = createWorld()
    const shoot = shootIn(world)
    world.openstack.faults.add({
      method: 'POST',
      path: new RegExp(`/${kind}s$`),
      when: 'after',
      effect: { kind: 'drop' },
    })
    await shoot.run('reconcile').catch(() => undefined)
    await shoot.run('reconcile')
    expect(contentOf(world)).toEqual(whole)
  },
)

test('a migration records what an interrupted step has created, and changes nothing', async () => {
  const world = createWorld()
  const shoot = shootIn(world)
  await shoot.run('reconcile', { call: 8, when: 'after' }).catch(() => undefined)
  const before = contentOf(world)
  const { writes } = await counting(world, () => shoot.run('migrate'))
  expect(writes).toEqual([])
  expect(contentOf(world)).toEqual(before)
  const ids = world.openstack.resources('network').filter(one => one.name === name)
  expect(shoot.state().CreatedFor).toBe(`uid-${name}`)
  for (const { id } of ids) expect(shoot.state().Network).toBe(id)
  await shoot.run('reconcile')
  expect(contentOf(world)).toEqual(whole)
})
