import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Noun, Thing } from './testing/fake-cloud.ts'
import { gardener } from './testing/gardener.ts'

/** Foreign resources in the account, with our names, other names, or no names. */
const foreign = fc.array(
  fc.record({
    noun: fc.constantFrom<Noun>('plot', 'bed', 'path'),
    name: fc.constantFrom('', 'a', 'b', 'a-b', 'z'),
    likely: fc.boolean(),
    /** The index of our resource that it uses. */
    on: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  }),
  { maxLength: 6 },
)

const beds = fc.constantFrom<Readonly<Record<string, string>>>({}, { a: 'clay' }, { a: 'clay', b: 'clay' })
const desiredStates = fc.array(
  beds.map(beds => ({ climate: 'mild', beds, paths: 'b' in beds ? ([['a', 'b']] as const) : [] })),
  { minLength: 1, maxLength: 4 },
)

test('only resources that are proved ours are ever deleted, and nothing fails, whatever others have and whatever is desired', async () => {
  await fc.assert(
    fc.asyncProperty(foreign, desiredStates, fc.boolean(), async (theirs, resolved, destroy) => {
      const mine = gardener(virtualClock(0))
      const first = resolved[0] ?? { climate: 'mild', beds: {}, paths: [] }
      await mine.until(first)
      const own = mine.all()
      const made: Thing[] = []
      for (const { noun, name, likely, on } of theirs) {
        const under = on === undefined ? undefined : own[on]
        const thing = await mine.fake.create(noun, {
          owner: 'me',
          name,
          on: under === undefined ? [] : [under.id],
          attributes: {},
        })
        mine.edit(thing.id, { marked: false, likely })
        made.push(thing)
      }
      // A resource that was adopted for a missing one is recorded from then on.
      const recorded = new Set<string>()
      for (const desired of resolved) {
        await mine.until(desired)
        for (const id of Object.values(mine.stored.state)) recorded.add(id)
        // The former resources have their own names, so they are never adopted while nothing is missing.
        expect((await mine.plan(desired)).actions).toEqual([])
      }
      const last = resolved.at(-1) ?? first
      if (destroy) {
        for (let count = 0; count < 5; count++)
          await mine.step(last, { destroy: true }).catch(() => undefined)
      }
      const ids = mine.all().map(({ id }) => id)
      for (const { id } of made) if (!recorded.has(id)) expect(ids).toContain(id)
    }),
    { numRuns: 150 },
  )
})
