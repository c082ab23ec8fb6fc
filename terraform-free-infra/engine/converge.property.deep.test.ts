import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { runs } from '../../test/cases/share.ts'
import { withoutMemory } from './memory.ts'
import type { ReconcileOutcome } from './reconcile-graph.ts'
import { FakeCloudError, type FakeDurations } from './testing/fake-cloud.ts'
import type { DesiredFakes } from './testing/fake-provider.ts'
import { gardener } from './testing/gardener.ts'

const bedNames = ['north', 'east', 'south', 'west'] as const

const desiredStates: fc.Arbitrary<DesiredFakes> = fc
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

/**
 * The fault at each write and save, in their order: the process dies, the response is lost, the resource fails later.
 */
const mishaps = fc.array(
  fc.constantFrom('fine', 'fine', 'fine', 'dies before', 'dies after', 'answer lost', 'refused', 'fails'),
  {
    maxLength: 40,
  },
)

const durations = fc.record({
  pendingMs: fc.constantFrom(0, 3_000, 30_000),
  goingMs: fc.constantFrom(0, 30_000),
  unlistedMs: fc.constantFrom(0, 0, 2_000, 15_000),
})

const trouble = (mine: ReturnType<typeof gardener>, script: readonly string[]) => {
  const left = [...script]
  let dead = false
  const dies = () => {
    dead = true
    throw new FakeCloudError('other', 'the process has died')
  }
  let after: string | undefined
  const twins: string[] = []
  mine.refuseWith(call => {
    if (dead) return new FakeCloudError('other', 'dead')
    if (call.startsWith('list')) return undefined
    after = left.shift()
    if (after === 'dies before') dead = true
    if (dead) return new FakeCloudError('other', 'the process has died')
    return after === 'refused' ? new FakeCloudError('busy', 'not now') : undefined
  })
  mine.onWrite(call => {
    const alive = mine.all().filter(({ goneAt, failed }) => goneAt === undefined && !failed)
    const names = alive.map(({ id, name }) => `${id.split('-')[0]} ${name}`)
    for (const name of names) if (names.filter(other => other === name).length > 1) twins.push(name)
    if (after === 'fails' && call.startsWith('create bed')) {
      const bed = mine.all().find(({ id }) => id === `bed-${mine.count()}`)
      if (bed && bed.readyAt > mine.ours.now()) mine.edit(bed.id, { failed: true })
    }
    if (after === 'dies after') dies()
    if (after === 'answer lost') throw new FakeCloudError('uncertain', 'connection reset')
  })
  mine.onSave(() => {
    if (dead) throw new FakeCloudError('other', 'dead')
    if (left.shift() === 'dies before') dies()
  })
  return {
    /** Names that two live resources had at the same time. */
    twins,
    revive: () => {
      dead = false
    },
    stop: () => left.splice(0),
  }
}

/** Returns the existing resources in the form of the desired ones. */
const described = (mine: ReturnType<typeof gardener>) => {
  const things = mine.all()
  const of = (noun: string) => things.filter(({ id }) => id.startsWith(noun))
  return {
    plots: of('plot').map(({ attributes }) => attributes.climate),
    blessings: [...of('plot'), ...of('bed')].map(({ attributes }) => attributes.blessing),
    beds: of('bed')
      .map(({ name, attributes }) => `${name}: ${attributes.soil}`)
      .sort(),
    paths: of('path')
      .map(({ name, attributes, on }) => `${name} ${on.map(id => attributes[`stone ${id}`]).join()}`)
      .sort(),
  }
}

const resolved = ({ climate, beds, paths, blessing }: DesiredFakes, mine: ReturnType<typeof gardener>) => ({
  plots: [climate],
  // Resources that are no longer desired are expected unchanged.
  blessings:
    blessing === undefined ? described(mine).blessings : [climate, ...Object.keys(beds)].map(() => blessing),
  beds: Object.entries(beds)
    .map(([name, soil]) => `${name}: ${soil}`)
    .sort(),
  paths: paths.map(([one, other]) => `${one}-${other} granite,slate`).sort(),
})

const converge = async (
  mine: ReturnType<typeof gardener>,
  clock: ReturnType<typeof virtualClock>,
  revive: () => void,
  desired: DesiredFakes,
  destroy: boolean,
): Promise<Extract<ReconcileOutcome, { readonly kind: 'converged' }>> => {
  let resumed = false
  for (let count = 0; count < 150; count++) {
    const outcome: ReconcileOutcome | string = await mine
      .step(desired, { destroy, resumed })
      .catch((error: unknown) => String(error))
    revive()
    if (typeof outcome !== 'string' && outcome.kind === 'converged') return outcome
    resumed = typeof outcome !== 'string'
    await clock.advance(typeof outcome === 'string' ? 10_000 : outcome.afterMs)
  }
  throw new Error(`not there after 150 steps: ${JSON.stringify(mine.calls.slice(-20))}`)
}

/** Checks the whole property for one case. */
const reaches = async (
  states: readonly [DesiredFakes, DesiredFakes],
  script: readonly string[],
  times: FakeDurations,
) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const mine = gardener(clock, times)
  const { revive, stop, twins } = trouble(mine, script)
  /**
   * If the cloud refuses to delete a resource and no other action waits for its deletion, each reconcile tries once and
   * reports the resource. The next reconcile deletes it.
   */
  const reconcile = async (desired: DesiredFakes) => {
    let refusals = script.filter(mishap => mishap === 'refused').length
    let { left } = await converge(mine, clock, revive, desired, false)
    while (left.length > 0 && refusals-- > 0) {
      expect(left.map(({ why }) => why)).toEqual(left.map(() => 'the cloud reports that it is in use'))
      // A final state no longer records when a resource was created. The next reconcile runs once the cloud lists it.
      await clock.advance(times.unlistedMs)
      left = (await converge(mine, clock, revive, desired, false)).left
    }
    expect(left).toEqual([])
  }
  for (const desired of states) {
    await reconcile(desired)
    // A resource that a dead process created becomes visible once it is listed.
    await clock.advance(times.unlistedMs)
    await reconcile(desired)
    expect(described(mine)).toEqual(resolved(desired, mine))
    expect((await mine.plan(desired)).actions.map(({ sentence }) => sentence)).toEqual([])
    const { length } = mine.writes()
    const saves = mine.stored.saves
    expect((await mine.step(desired)).kind).toBe('converged')
    expect(mine.writes()).toHaveLength(length)
    expect(mine.stored.saves).toBe(saves)
  }
  expect(twins).toEqual([])
  stop()
  await converge(mine, clock, revive, states[1], true)
  expect(mine.all()).toEqual([])
  expect(withoutMemory(mine.stored.state)).toEqual({})
}

describe('the engine', () => {
  test('reaches the desired state wherever a process dies, never creates a duplicate, and leaves nothing after a deletion', async () => {
    await fc.assert(fc.asyncProperty(fc.tuple(desiredStates, desiredStates), mishaps, durations, reaches), {
      numRuns: runs(300),
    })
  })

  test('removes at the next reconcile a resource of a dead process that the cloud at first refused to delete', async () => {
    const desired: DesiredFakes = { climate: 'mild', beds: {}, paths: [] }
    const script = ['dies after', 'fine', 'fine', 'fine', 'fine', 'refused']
    await reaches([{ ...desired, blessing: 'sun' }, desired], script, {
      pendingMs: 0,
      goingMs: 0,
      unlistedMs: 15_000,
    })
  })

  test('creates no second bed if a reconcile ends with a leftover and the cloud lists the first bed later', async () => {
    const script = ['answer lost', 'fine', 'fine', 'answer lost', 'dies before', 'fine', 'refused']
    await reaches(
      [
        { climate: 'mild', beds: { north: 'clay' }, paths: [], blessing: 'sun' },
        { climate: 'mild', beds: {}, paths: [] },
      ],
      script,
      { pendingMs: 0, goingMs: 0, unlistedMs: 15_000 },
    )
  })

  test('leaves nothing behind when it deletes half-created resources', async () => {
    await fc.assert(
      fc.asyncProperty(
        desiredStates,
        mishaps,
        durations,
        fc.nat(6),
        async (desired, script, times, steps) => {
          const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
          const mine = gardener(clock, times)
          const { revive } = trouble(mine, script)
          for (let count = 0; count < steps; count++) {
            await mine.step(desired).catch(() => undefined)
            revive()
            await clock.advance(1_000)
          }
          // A resource that is deleted before the cloud lists it becomes visible later.
          await clock.advance(times.unlistedMs)
          await converge(mine, clock, revive, desired, true)
          expect(mine.all()).toEqual([])
          expect(withoutMemory(mine.stored.state)).toEqual({})
        },
      ),
      { numRuns: runs(300) },
    )
  })
})
