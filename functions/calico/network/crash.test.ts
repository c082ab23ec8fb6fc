import { expect, test } from 'vitest'
import { type NetworkSeed, newSeed } from './testing/seed.ts'

/** A process that dies at its n-th write. No later write reaches its target. */
const dyingAt = (n: number, when: 'before' | 'after') => {
  let writes = 0
  let dead = false
  const die = () => {
    dead = true
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  }
  return {
    interference: {
      before: (call: string) => {
        if (dead) die()
        if (/^(get|list) /.test(call)) return
        writes++
        if (when === 'before' && writes === n) die()
      },
      after: () => {
        if (dead || (when === 'after' && writes >= n)) die()
      },
    },
    died: () => dead,
  }
}

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
  await seed.settle()
  await (operation === 'delete' ? seed.remove() : seed.ask('migrate'))
  return seed
}

test.each(
  (['reconcile', 'delete', 'migrate'] as const).flatMap(operation =>
    (['before', 'after'] as const).map(when => [when, operation] as const),
  ),
)(
  'a process that dies %s any write of a %s is followed by one that ends it alike',
  async (when, operation) => {
    const whole = await start(operation)
    await whole.settle()
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
      await seed.settle()
      expect(await shapeOf(seed), `write ${n}`).toEqual(expected)
      expect(await seed.isGone(), `write ${n}`).toBe(operation === 'delete')
      if (operation !== 'delete')
        expect(await seed.lastOperation(), `write ${n}`).toMatchObject({ state: 'Succeeded' })
    }
    expect(n).toBeGreaterThan(8)
  },
)
