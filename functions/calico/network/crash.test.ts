import { expect, test } from 'vitest'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import { type NetworkSeed, newSeed } from './testing/seed.ts'

const shapeOf = async (seed: NetworkSeed) => ({
  resource: (await seed.managedResource())?.spec,
  secrets: await seed.secretNames(),
  watched: (await seed.monitoring()).map(({ metadata, spec, data }) => [
    metadata.name,
    metadata.labels,
    spec,
    data,
  ]),
})

const start = async (operation: 'reconcile' | 'delete' | 'migrate') => {
  const seed = await newSeed()
  if (operation === 'reconcile') return seed
  await seed.converge()
  await (operation === 'delete' ? seed.remove() : seed.ask('migrate'))
  return seed
}

test.each(
  (['reconcile', 'delete', 'migrate'] as const).flatMap(operation =>
    (['before', 'after'] as const).map(when => [when, operation] as const),
  ),
)(
  'if a process dies %s any write of a %s, the next process reaches the same result',
  async (when, operation) => {
    const whole = await start(operation)
    await whole.converge()
    const expected = await shapeOf(whole)
    let n = 0
    for (let died = true; died; ) {
      n++
      const seed = await start(operation)
      const dying = dyingAt(n, when)
      seed.interfereWith(dying.interference)
      await seed.step().catch(() => undefined)
      died = dying.died()
      seed.interfereWith({})
      // Its claim expires.
      await seed.clock.advance(80_000)
      await seed.converge()
      expect(await shapeOf(seed), `write ${n}`).toEqual(expected)
      expect(await seed.isGone(), `write ${n}`).toBe(operation === 'delete')
      if (operation !== 'delete')
        expect(await seed.lastOperation(), `write ${n}`).toMatchObject({ state: 'Succeeded' })
    }
    expect(n).toBeGreaterThan(8)
  },
)
