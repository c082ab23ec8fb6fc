import { expect, test } from 'vitest'
import { dyingAt } from '../lifecycle/testing/dying-at.ts'
import { type ControlPlaneSeed, newSeed } from './testing/seed.ts'
import { shapeOf } from './testing/shape-of.ts'

const rotation = {
  status: {
    credentials: {
      rotation: {
        certificateAuthorities: { lastInitiationTime: '2026-11-21T12:00:00Z', phase: 'Preparing' },
      },
    },
  },
}

const lives = {
  create: { before: async () => undefined },
  'a rotation': {
    before: async (seed: ControlPlaneSeed) => {
      await seed.converge()
      await seed.changeShoot(rotation)
      await seed.reconcile()
    },
  },
  delete: {
    before: async (seed: ControlPlaneSeed) => {
      await seed.converge()
      await seed.remove()
    },
  },
  migrate: {
    before: async (seed: ControlPlaneSeed) => {
      await seed.converge()
      await seed.ask('migrate')
    },
  },
} as const

const stateOf = async (seed: ControlPlaneSeed) =>
  (await seed.isGone()) ? 'gone' : (await seed.lastOperation())?.state

for (const [name, { before }] of Object.entries(lives)) {
  test.each(['before', 'after'] as const)(
    `${name} recovers from a crash %s any write`,
    async when => {
      const untouched = await newSeed()
      await before(untouched)
      await untouched.converge()
      const expected = await shapeOf(untouched)
      const state = await stateOf(untouched)
      let deaths = 0
      for (let n = 1; ; n++) {
        const seed = await newSeed()
        await before(seed)
        const { interference, died } = dyingAt(n, when)
        seed.interfereWith(interference)
        for (let count = 0; count < 8 && !died(); count++) {
          await seed.step().catch(() => undefined)
          await seed.resourceManager.work()
          if ((await seed.due())?.kind === 'none') break
          await seed.clock.advance(1_000)
        }
        if (!died()) break
        deaths++
        seed.interfereWith({})
        await seed.clock.advance(80_000)
        await seed.converge()
        expect(await shapeOf(seed), `${when} write ${n}`).toEqual(expected)
        expect(await stateOf(seed), `${when} write ${n}`).toBe(state)
      }
      expect(deaths).toBeGreaterThan(8)
    },
    120_000,
  )
}
