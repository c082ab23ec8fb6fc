import { describe, expect, test } from 'vitest'
import { newSeed as bastionSeed } from './bastion/testing/seed.ts'
import { newSeed as infrastructureSeed } from './infrastructure/testing/seed.ts'
import { newSeed as exposureSeed } from './selfhostedshootexposure/testing/seed.ts'
import type { ProviderSeed } from './testing/provider-seed.ts'

const newSeeds = {
  Bastion: bastionSeed,
  Infrastructure: infrastructureSeed,
  SelfHostedShootExposure: exposureSeed,
}

/** The actions before the step in which a process dies. */
const begins: Readonly<Record<'create' | 'delete', (seed: ProviderSeed) => Promise<void>>> = {
  create: async () => {},
  delete: async seed => {
    await seed.converge()
    await seed.remove()
  },
}

const stateOf = async (seed: ProviderSeed) => [
  seed.held(),
  Object((await seed.live())?.status).lastOperation?.state,
]

describe.each(Object.entries(newSeeds))('if a process of %s', (_, newSeed) => {
  describe.each(Object.entries(begins))('dies in a %s', (_, begin) => {
    test.each([
      ['seed', 'before'],
      ['seed', 'after'],
      ['provider cluster', 'before'],
      ['provider cluster', 'after'],
    ] as const)('at any write to the %s, %s it, the next process completes it', async (where, when) => {
      const whole = await newSeed()
      await begin(whole)
      await whole.converge()
      const expected = await stateOf(whole)
      let n = 0
      for (let died = true; died; ) {
        n++
        const seed = await newSeed()
        await begin(seed)
        if (where === 'seed') seed.dieAt(n, when)
        else seed.dieAtProvider(n, when)
        await seed.converge()
        died = seed.hasDied()
        await seed.restart()
        await seed.converge()
        expect(await stateOf(seed), `write ${n}`).toEqual(expected)
      }
      expect(n).toBeGreaterThan(1)
    })
  })
})
