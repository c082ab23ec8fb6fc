import { expect, test } from 'vitest'
import { clusterOf, type ExtensionSeed, extensionSeed } from '../../testing/extension-seed.ts'
import { definition } from './function.ts'

/** Includes each write of the flow and those for the test of forced deletions. */
const newSeed = () =>
  extensionSeed(definition, {
    cluster: clusterOf({ metadata: { annotations: { 'test-force-delete': 'true' } } }),
  })

const begin: Readonly<Record<string, (seed: ExtensionSeed) => Promise<void>>> = {
  create: async () => {},
  migrate: async seed => {
    await seed.converge()
    await seed.ask('migrate')
  },
  delete: async seed => {
    await seed.converge()
    await seed.remove()
  },
}

const ends = async (seed: ExtensionSeed) => ({
  resources: await seed.managedResources(),
  policies: (await seed.policies()).map(({ metadata }) => metadata.name),
  secrets: (await seed.secretNames()).length,
  state: (await seed.status()).lastOperation?.state,
  finalizers: (await seed.live())?.metadata.finalizers,
})

test.each(
  Object.keys(begin).flatMap(what => (['before', 'after'] as const).map(when => [what, when] as const)),
)('if a process dies in a %s, %s any write, the next process completes it', async (what, when) => {
  const whole = await newSeed()
  await begin[what]?.(whole)
  await whole.converge()
  const expected = await ends(whole)
  let n = 0
  for (let died = true; died; ) {
    n++
    const seed = await newSeed()
    await begin[what]?.(seed)
    seed.dieAt(n, when)
    await seed.converge()
    died = seed.hasDied()
    await seed.restart()
    await seed.converge()
    expect(await ends(seed), `write ${n}`).toEqual(expected)
  }
  expect(n).toBeGreaterThan(5)
})
