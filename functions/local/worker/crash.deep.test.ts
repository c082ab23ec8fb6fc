import { expect, test } from 'vitest'
import { shapeOf } from '../../../shared/worker/testing/shape-of.ts'
import { newLocalSeed, poolOf } from './testing/local-seed.ts'

const zones = ['0', '1']
const lives = {
  creation: () => newLocalSeed({ pools: [poolOf({ zones })] }),
  change: async () => {
    const seed = await newLocalSeed()
    await seed.converge()
    await seed.reconcile()
    await seed.patchSpec({ pools: [poolOf({ zones, nodeAgentSecretName: 'gardener-node-agent-pool-2' })] })
    return seed
  },
}

test.each(
  Object.entries(lives).flatMap(([life, prepare]) =>
    (['before', 'after'] as const).map(when => ({ life, when, prepare })),
  ),
)(
  'if a process dies $when any write of a $life, the next process reaches the same result',
  async ({ when, prepare }) => {
    const whole = await prepare()
    await whole.converge()
    const expected = await shapeOf(whole)
    let n = 0
    for (let died = true; died; ) {
      n++
      const seed = await prepare()
      seed.dieAt(n, when)
      await seed.converge({ until: seed.hasDied })
      died = seed.hasDied()
      if (!died) break
      await seed.converge()
      expect(await shapeOf(seed), `write ${n}`).toEqual(expected)
      expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
    }
    expect(n).toBeGreaterThan(5)
  },
)
