import { expect } from 'vitest'
import type { ProviderSeed } from './provider-seed.ts'

export type Begin = (seed: ProviderSeed) => Promise<void>

/** The actions before the step in which a process dies. */
export const begins: Readonly<Record<'create' | 'delete', Begin>> = {
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

/** Lets a process die at each of its writes, to the seed or the provider cluster, and lets another one continue. */
export const expectSameAfterDeath = async (
  newSeed: () => Promise<ProviderSeed>,
  begin: Begin,
  where: 'seed' | 'provider cluster',
  when: 'before' | 'after',
): Promise<number> => {
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
  return n
}
