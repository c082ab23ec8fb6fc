import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { runs } from '../../test/cases/share.ts'
import type { ReconcileOutcome } from './reconcile-graph.ts'
import { FakeCloudError, type FakeSight, type Thing } from './testing/fake-cloud.ts'
import type { DesiredFakes } from './testing/fake-provider.ts'
import { gardener } from './testing/gardener.ts'

/** The longest time until a list shows a write, in milliseconds. */
const longestLagMs = 90_000

/** Each creation whose process died may cost five minutes of waits. */
const longest = 1_000

const gardens: readonly DesiredFakes[] = [
  { climate: 'mild', beds: { north: 'clay', east: 'loam' }, paths: [['north', 'east']] },
  { climate: 'mild', beds: { north: 'clay' }, paths: [] },
  { climate: 'mild', beds: { north: 'loam', east: 'loam' }, paths: [], blessing: 'sun' },
  { climate: 'mild', beds: { north: 'clay', east: 'loam' }, paths: [['north', 'east']], blessing: 'rain' },
]

interface Story {
  /** Indexes of gardens, each requested some milliseconds after the last success. */
  readonly requests: readonly { readonly garden: number; readonly afterMs: number }[]
  /** Steps of the last request before its deletion begins. Undefined: it succeeds. */
  readonly steps: number | undefined
  /** Lags of the writes, in milliseconds. */
  readonly lags: readonly number[]
  /** Milliseconds in which writes do not know a new resource. */
  readonly unknown: readonly number[]
  /** Seed of how often each list contains its items. */
  readonly lists: number
  /** Faults of the writes. */
  readonly faults: readonly ('fine' | 'answer lost' | 'dies before' | 'dies after')[]
}

const stories: fc.Arbitrary<Story> = fc.record({
  requests: fc.array(
    fc.record({ garden: fc.nat(gardens.length - 1), afterMs: fc.constantFrom(0, 100, 4_000) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  steps: fc.option(fc.nat(3), { nil: undefined }),
  lags: fc.array(fc.constantFrom(0, 0, 500, 5_000, 70_000, longestLagMs), { minLength: 1, maxLength: 20 }),
  unknown: fc.array(fc.constantFrom(0, 0, 5_000, 30_000, longestLagMs), { minLength: 1, maxLength: 8 }),
  lists: fc.nat(),
  faults: fc.array(
    fc.constantFrom('fine', 'fine', 'fine', 'fine', 'answer lost', 'dies before', 'dies after'),
    {
      maxLength: 12,
    },
  ),
})

/** Returns the elements in turn, again and again. */
const inSequence = <T>(list: readonly T[], otherwise: T): (() => T) => {
  let at = 0
  return () => list[at++ % list.length] ?? otherwise
}

/** One of six lists omits its items, and one repeats them. No pattern omits an item for ever. */
const timesBy = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return [0, 2, 1, 1, 1, 1][(state >>> 16) % 6] ?? 1
  }
}

/** Plays a story, and returns the broken promises. */
const play = async ({ requests, steps, lags, unknown, lists, faults }: Story): Promise<readonly string[]> => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const sight: FakeSight = {
    lagMs: inSequence(lags, 0),
    unknownMs: inSequence(unknown, 0),
    times: timesBy(lists),
  }
  const mine = gardener(clock, { pendingMs: 3_000, goingMs: 3_000, unlistedMs: 0 }, sight)
  const broken: string[] = []
  let wanted: DesiredFakes | undefined
  const isAlive = ({ goneAt, failed }: Thing) => goneAt === undefined && !failed
  const nameOf = ({ id, name }: Thing) => `${id.split('-')[0]} ${name}`
  const checkTwins = () => {
    const names = mine.all().filter(isAlive).map(nameOf)
    for (const name of names)
      if (names.indexOf(name) !== names.lastIndexOf(name)) broken.push(`${name} is there twice`)
  }
  const left = [...faults]
  let dead = false
  let fault: Story['faults'][number] | undefined
  mine.refuseWith(call => {
    if (dead) return new FakeCloudError('other', 'dead')
    if (call.startsWith('list')) return undefined
    const [, id = ''] = /^remove \w+ (\S+)$/.exec(call) ?? []
    const thing = mine.all().find(each => each.id === id && isAlive(each))
    if (thing !== undefined && wanted !== undefined && isDesired(wanted, thing))
      broken.push(`${id} is removed although it is desired`)
    fault = left.shift()
    if (fault === 'dies before') dead = true
    return dead ? new FakeCloudError('other', 'the process has died') : undefined
  })
  mine.onWrite(() => {
    checkTwins()
    if (fault === 'dies after') {
      dead = true
      throw new FakeCloudError('other', 'the process has died')
    }
    if (fault === 'answer lost') throw new FakeCloudError('uncertain', 'connection reset')
  })
  mine.onSave(() => {
    if (dead) throw new FakeCloudError('other', 'dead')
  })
  const run = async (destroy: boolean, most = longest): Promise<void> => {
    const garden = wanted ?? gardens[0]
    if (garden === undefined) return
    for (let count = 0, resumed = false; count < most; count++) {
      const outcome: ReconcileOutcome | string = await mine
        .step(garden, { destroy, resumed })
        .catch((error: unknown) => String(error))
      dead = false
      if (typeof outcome !== 'string' && outcome.kind === 'converged') return
      resumed = typeof outcome !== 'string'
      await clock.advance(typeof outcome === 'string' ? 5_000 : Math.max(outcome.afterMs, 10))
    }
    if (most === longest) broken.push(`not there after ${most} steps: ${mine.calls.slice(-6).join('; ')}`)
  }
  for (const [index, { garden, afterMs }] of requests.entries()) {
    wanted = gardens[garden]
    const isLast = index === requests.length - 1
    await run(false, isLast && steps !== undefined ? steps : undefined)
    await clock.advance(afterMs)
  }
  if (steps === undefined) {
    const complete = wanted
    await clock.advance(longestLagMs)
    await run(false)
    const names = mine.all().filter(isAlive).map(nameOf).sort()
    if (complete !== undefined && names.join() !== namesOf(complete).sort().join())
      broken.push(`there are ${names.join()}`)
    await clock.advance(requests[0]?.afterMs ?? 0)
  }
  const last = wanted
  wanted = undefined
  if (last !== undefined) wanted = { ...last, beds: {}, paths: [], climate: 'none' }
  await run(true)
  for (const thing of mine.all().filter(isAlive)) broken.push(`${thing.id} (${nameOf(thing)}) is left`)
  if (mine.blessedTwice.length > 0) broken.push(`${mine.blessedTwice.join()} was blessed twice`)
  return [...new Set(broken)]
}

const namesOf = ({ beds, paths }: DesiredFakes): string[] => [
  'plot ',
  ...Object.keys(beds).map(name => `bed ${name}`),
  ...paths.map(([one, other]) => `path ${one}-${other}`),
]

/** Returns true for a resource that the garden contains in this form. */
const isDesired = (garden: DesiredFakes, thing: Thing): boolean => {
  const { id, name, attributes } = thing
  if (id.startsWith('plot')) return attributes.climate === garden.climate
  if (id.startsWith('bed')) return garden.beds[name] === attributes.soil
  // A path goes with its beds.
  return false
}

describe('the engine on a cloud whose lists lag, repeat and omit', () => {
  test('doubles nothing, removes nothing that is desired, and leaves nothing after a deletion', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async story => {
        expect(await play(story)).toEqual([])
      }),
      { numRuns: runs(150) },
    )
  })
})
