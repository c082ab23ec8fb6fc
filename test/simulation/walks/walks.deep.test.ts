import { expect, test } from 'vitest'
import { isNight } from '../../cases/share.ts'
import { runWalk } from './run-walk.ts'
import { runWalks } from './run-walks.ts'
import { walkCases } from './walk-cases.ts'
import { walkSpaces } from './walk-spaces.ts'

/** A ControlPlane creates keys. */
const countOf = (space: string): number => (isNight && !space.endsWith('/controlplane') ? 3 : 1)

test.each(walkSpaces)('the end of each walk through $name equals a new creation', async space => {
  const count = countOf(space.name)
  const [counts] = await runWalks({ spaces: [space], seed: 1, count })
  expect(counts?.failures.map(({ text }) => text)).toEqual([])
  expect(counts?.walks).toBe(count)
  // Without successes, a walk would prove nothing.
  expect(counts?.succeeded).toBeGreaterThanOrEqual(count)
})

test.each(walkCases)('$space: it is fixed that $found', async ({ space, walk }) => {
  const loaded = await walkSpaces.find(({ name }) => name === space)?.load()
  if (loaded === undefined) throw new Error(`there is no space ${space}`)
  const { stops, problems } = await runWalk(loaded, space, walk)
  expect(problems).toEqual([])
  expect(stops.at(-1)).toBe('succeeded')
})
