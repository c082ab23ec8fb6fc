import { describe, expect, test } from 'vitest'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { type BridgeTestSeed, useSeeds } from '../testing/test-seed.ts'
import { deployment, put, reasons, selection, start } from './testing/monitored-seed.ts'

const createSeed = useSeeds()

/** Starts a bridge that does not lead. Its function answers all checks except those of rounds. */
const follower = async (seed: BridgeTestSeed) => {
  let isLeading = false
  let changeLeader: (leading: boolean) => void = () => {}
  seed.sink = ({ name, reason }) => {
    if (reason !== 'round') put(seed, { written: (seed.clock.now() - start) / 1_000, metadata: { name } })
    return { kind: 'accepted' }
  }
  await seed.bridge({
    selection,
    monitored: monitoredKinds,
    leadership: {
      leading: () => isLeading,
      run: (signal, changed) => {
        changeLeader = changed
        return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
      },
    },
  })
  const lead = async (leading: boolean, ms: number) => {
    isLeading = leading
    changeLeader(leading)
    await seed.clock.advance(ms)
  }
  const flap = async (times: number, ms: number) => {
    for (let flip = 0; flip < times; flip++) {
      await lead(true, ms)
      await lead(false, ms)
    }
  }
  return { lead, flap }
}

const many = () => {
  const seed = createSeed()
  for (let index = 0; index < 60; index++) put(seed, { written: -900, metadata: { name: `c${index}` } })
  return seed
}

describe('a bridge', () => {
  test('it orders no checks before it leads, and catches up when it leads', async () => {
    const seed = createSeed()
    put(seed, { written: 0 })
    const { lead } = await follower(seed)
    deployment(seed, 'False')
    await seed.clock.advance(600_000)
    expect(seed.events).toEqual([])
    await lead(true, 10_000)
    expect(reasons(seed)).toEqual(['refresh'])
  })

  test('it orders none in a leadership of a few seconds', async () => {
    const seed = many()
    const { lead, flap } = await follower(seed)
    await flap(20, 2_000)
    expect(seed.events).toEqual([])
    await lead(true, 30_000)
    expect(seed.events).toHaveLength(60)
  })

  test('it leads again and again: each time only one object proves that the function answers', async () => {
    const seed = many()
    const { flap } = await follower(seed)
    await flap(10, 20_000)
    expect(new Set(seed.events.map(({ name }) => name)).size).toBe(60)
    expect(seed.events).toHaveLength(69)
  })

  test('it checks objects that have changed while it did not lead', async () => {
    const seed = many()
    const { lead } = await follower(seed)
    await lead(true, 30_000)
    await lead(false, 100_000)
    seed.events.splice(0)
    put(seed, { written: -900, metadata: { name: 'c1', generation: 2 } })
    await lead(true, 30_000)
    expect(seed.events.map(({ name }) => name)).toContain('c1')
    expect(seed.events.length).toBeLessThanOrEqual(2)
  })

  test('it checks everything after it has not led for a round', async () => {
    const seed = many()
    const { lead } = await follower(seed)
    await lead(true, 30_000)
    await lead(false, 1_230_000)
    seed.events.splice(0)
    await lead(true, 30_000)
    expect(seed.events).toHaveLength(60)
  })
})
