import { expect, test } from 'vitest'
import { recordSeed } from './testing/record-seed.ts'

type Seed = Awaited<ReturnType<typeof recordSeed>>

const begin: Readonly<Record<string, (seed: Seed) => Promise<void>>> = {
  create: async () => {},
  change: async seed => {
    await seed.converge()
    await seed.ask('reconcile', { spec: { values: ['192.0.2.9'] } })
  },
  delete: async seed => {
    await seed.converge()
    await seed.remove()
  },
}

test.each(
  Object.keys(begin).flatMap(what => (['before', 'after'] as const).map(when => [what, when] as const)),
)(
  'if a process dies in a %s, %s any write to Kubernetes, the next process completes it',
  async (what, when) => {
    const whole = await recordSeed()
    await begin[what]?.(whole)
    await whole.converge()
    const expected = [whole.records(), Object((await whole.live())?.status).lastOperation?.state]
    let n = 0
    for (let died = true; died; ) {
      n++
      const seed = await recordSeed()
      await begin[what]?.(seed)
      seed.dieAt(n, when)
      await seed.converge()
      died = seed.hasDied()
      await seed.restart()
      await seed.converge()
      const ends = [seed.records(), Object((await seed.live())?.status).lastOperation?.state]
      expect(ends, `write ${n}`).toEqual(expected)
    }
    expect(n).toBeGreaterThan(3)
  },
)

test.each(['drop', 'drop-answer'] as const)(
  'an update that is lost, with its response or only the response, is sent again: %s',
  async kind => {
    const seed = await recordSeed()
    seed.server.faults.add({ fault: { kind }, opcode: 'UPDATE' })
    const work = seed.converge()
    await seed.clock.advance(10_000)
    await work
    expect(seed.records()).toHaveLength(2)
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
  },
)
