import { expect, test } from 'vitest'
import { withoutMemory } from '../../terraform-free-infra/engine/engine.ts'
import { hostileWorld } from './hostile-world.ts'
import { dataOf } from './recorded-shoot.ts'
import { type ShapeName, shapes } from './shapes.ts'

const names = Object.keys(shapes) as ShapeName[]

test.each(names)('lists in any order, whose pages repeat and lack items, cause no write: %s', async shape => {
  for (const seed of [1]) {
    const zones = shape === 'own addresses' ? 2 : 3
    const pages = { seed, repeated: 0.7, omitted: 0.7 }
    const world = await hostileWorld({ shape, zones, shuffleLists: seed, pages })
    await world.endure('reconcile')
    // A list that shows a resource twice may show it as it was 90 s ago.
    await world.clock.advance(100_000)
    await world.endure('reconcile')
    const made = await world.everything()
    const state = dataOf(world.status())
    for (const ms of [100_000, 600_000, 0]) {
      await world.clock.advance(ms)
      world.aws.calls.clear()
      await world.endure('reconcile')
      expect(world.writes()).toEqual([])
      expect(await world.everything()).toEqual(made)
    }
    expect(dataOf(world.status())).toEqual(withoutMemory(state))
    await world.endure('remove')
    expect(await world.everything()).toEqual(world.before)
    expect(world.finalErrors).toEqual([])
  }
})
