import { expect, test } from 'vitest'
import { shapeOf } from '../../../shared/control-plane/testing/shape-of.ts'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import { newLocalSeed } from './testing/local-seed.ts'

test.each(['before', 'after'] as const)(
  'a creation continues, whichever write a process dies %s, with one password',
  async when => {
    const untouched = await newLocalSeed()
    await untouched.converge()
    const expected = await shapeOf(untouched)
    let deaths = 0
    for (let n = 1; ; n++) {
      const seed = await newLocalSeed()
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
      expect((await seed.lastOperation())?.state).toBe('Succeeded')
    }
    expect(deaths).toBeGreaterThan(12)
  },
  120_000,
)
