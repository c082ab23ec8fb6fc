import { expect, test } from 'vitest'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import { runtimeOf, seedWith } from './testing/runtimes.ts'

type Seed = Awaited<ReturnType<typeof seedWith>>

const lives = {
  create: { pools: ['b'], before: async (seed: Seed) => void (await seed.make(runtimeOf('a'))), least: 5 },
  change: {
    pools: ['a'],
    before: async (seed: Seed) => {
      await seed.change('gvisor-a', { spec: { binaryPath: '/opt/gvisor' } })
      await seed.ask('gvisor-a', 'reconcile')
    },
    least: 4,
  },
  'delete of the last': {
    pools: ['a'],
    before: (seed: Seed) => seed.remove('gvisor-a'),
    least: 6,
  },
  'delete of one of two': {
    pools: ['a', 'b'],
    before: (seed: Seed) => seed.remove('gvisor-a'),
    least: 5,
  },
  migrate: {
    pools: ['a'],
    before: async (seed: Seed) => void (await seed.ask('gvisor-a', 'migrate')),
    least: 8,
  },
} as const

const shapeOf = async (seed: Seed) => ({
  managedResources: await seed.managedResources(),
  // Unreferenced Secrets are left to the garbage collector.
  secrets: await Promise.all(
    (await seed.managedResources()).map(async name => (await seed.objectsOf(name)).length),
  ),
  state: (await seed.read('gvisor-a')) && (await seed.statusOf('gvisor-a')).lastOperation?.state,
})

for (const [name, { pools, before, least }] of Object.entries(lives)) {
  test.each(['before', 'after'] as const)(
    `a ${name} continues, whichever write a process dies %s`,
    async when => {
      const untouched = await seedWith(pools)
      await before(untouched)
      await untouched.converge('gvisor-a')
      const expected = await shapeOf(untouched)
      let deaths = 0
      for (let n = 1; ; n++) {
        const seed = await seedWith(pools)
        await before(seed)
        const { interference, died } = dyingAt(n, when)
        seed.interfereWith(interference)
        for (let count = 0; count < 8 && !died(); count++) {
          await seed.step('gvisor-a').catch(() => undefined)
          await seed.resourceManager.work()
          if (((await seed.due('gvisor-a'))?.kind ?? 'none') === 'none') break
          await seed.clock.advance(1_000)
        }
        if (!died()) break
        deaths++
        seed.interfereWith({})
        await seed.clock.advance(80_000)
        await seed.converge('gvisor-a')
        expect(await shapeOf(seed), `${when} write ${n}`).toEqual(expected)
      }
      expect(deaths).toBeGreaterThanOrEqual(least)
    },
    60_000,
  )
}
