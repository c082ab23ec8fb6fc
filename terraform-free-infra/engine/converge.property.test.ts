import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../shared/clock/virtual-clock.ts'
import { GardenError } from './garden.testing.ts'
import type { GardenWish } from './garden-provider.testing.ts'
import { gardener } from './gardener.testing.ts'
import type { StepOutcome } from './step.ts'

const bedNames = ['north', 'east', 'south', 'west'] as const

const wishes: fc.Arbitrary<GardenWish> = fc
  .record({
    soils: fc.dictionary(fc.constantFrom(...bedNames), fc.constantFrom('clay', 'loam'), { maxKeys: 4 }),
    pairs: fc.uniqueArray(fc.tuple(fc.constantFrom(...bedNames), fc.constantFrom(...bedNames)), {
      maxLength: 3,
      selector: ([one, other]) => `${one}-${other}`,
    }),
    climate: fc.constantFrom('mild', 'dry'),
    blessing: fc.option(fc.constantFrom('sun', 'rain'), { nil: undefined }),
  })
  .map(({ soils, pairs, climate, blessing }) => ({
    climate,
    beds: soils,
    paths: pairs.filter(([one, other]) => one !== other && soils[one] && soils[other]),
    ...(blessing === undefined ? {} : { blessing }),
  }))

/** What goes wrong at each write and save, in their order: a process dies before or after it, or its answer is lost. */
const mishaps = fc.array(
  fc.constantFrom('fine', 'fine', 'fine', 'dies before', 'dies after', 'answer lost', 'refused'),
  {
    maxLength: 40,
  },
)

const durations = fc.record({
  pendingMs: fc.constantFrom(0, 3_000, 30_000),
  goingMs: fc.constantFrom(0, 30_000),
  unlistedMs: fc.constantFrom(0, 0, 2_000),
})

const trouble = (mine: ReturnType<typeof gardener>, script: readonly string[]) => {
  const left = [...script]
  let dead = false
  const dies = () => {
    dead = true
    throw new GardenError('other', 'the process has died')
  }
  let after: string | undefined
  mine.refuseWith(call => {
    if (dead) return new GardenError('other', 'dead')
    if (call.startsWith('list')) return undefined
    after = left.shift()
    if (after === 'dies before') dead = true
    if (dead) return new GardenError('other', 'the process has died')
    return after === 'refused' ? new GardenError('busy', 'not now') : undefined
  })
  mine.onWrite(() => {
    if (after === 'dies after') dies()
    if (after === 'answer lost') throw new GardenError('uncertain', 'connection reset')
  })
  mine.onSave(() => {
    if (dead) throw new GardenError('other', 'dead')
    if (left.shift() === 'dies before') dies()
  })
  return {
    revive: () => {
      dead = false
    },
    stop: () => left.splice(0),
  }
}

const described = (mine: ReturnType<typeof gardener>) =>
  mine
    .all()
    .map(({ id, name, attributes }) => ({ noun: id.split('-')[0], name, attributes }))
    .sort((one, other) => `${one.noun} ${one.name}`.localeCompare(`${other.noun} ${other.name}`))

const converge = async (
  mine: ReturnType<typeof gardener>,
  clock: ReturnType<typeof virtualClock>,
  revive: () => void,
  wish: GardenWish,
  destroy: boolean,
) => {
  let resumed = false
  for (let count = 0; count < 150; count++) {
    const outcome: StepOutcome | string = await mine
      .step(wish, { destroy, resumed })
      .catch((error: unknown) => String(error))
    revive()
    if (typeof outcome !== 'string' && outcome.kind === 'converged') return
    resumed = typeof outcome !== 'string'
    await clock.advance(typeof outcome === 'string' ? 10_000 : outcome.afterMs)
  }
  throw new Error(`not there after 150 steps: ${JSON.stringify(mine.calls.slice(-20))}`)
}

describe('the engine', () => {
  it('reaches what is wished wherever a process dies, with never two of anything, and leaves nothing when it deletes', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, wishes, mishaps, durations, async (first, second, script, times) => {
        const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
        const mine = gardener(clock, times)
        const { revive, stop } = trouble(mine, script)
        for (const wish of [first, second]) {
          await converge(mine, clock, revive, wish, false)
          await clock.advance(times.unlistedMs)
          const fresh = gardener(clock)
          await fresh.until(wish)
          expect(described(mine).map(({ noun, name }) => `${noun} ${name}`)).toEqual(
            described(fresh).map(({ noun, name }) => `${noun} ${name}`),
          )
          expect((await mine.plan(wish)).actions.map(({ sentence }) => sentence)).toEqual([])
          const { length } = mine.writes()
          const saves = mine.stored.saves
          expect((await mine.step(wish)).kind).toBe('converged')
          expect(mine.writes()).toHaveLength(length)
          expect(mine.stored.saves).toBe(saves)
        }
        stop()
        await converge(mine, clock, revive, second, true)
        expect(mine.all()).toEqual([])
        expect(mine.stored.state).toEqual({})
      }),
      { numRuns: 150 },
    )
  })

  it('leaves nothing behind when it deletes what was half made', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, mishaps, durations, fc.nat(6), async (wish, script, times, steps) => {
        const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
        const mine = gardener(clock, times)
        const { revive } = trouble(mine, script)
        for (let count = 0; count < steps; count++) {
          await mine.step(wish).catch(() => undefined)
          revive()
          await clock.advance(1_000)
        }
        // What is deleted before the cloud lists it comes to light later.
        await clock.advance(times.unlistedMs)
        await converge(mine, clock, revive, wish, true)
        expect(mine.all()).toEqual([])
        expect(mine.stored.state).toEqual({})
      }),
      { numRuns: 150 },
    )
  })
})
