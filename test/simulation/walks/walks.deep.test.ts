import { expect, test } from 'vitest'
import { runWalks } from './run-walks.ts'
import { walkSpaces } from './walk-spaces.ts'

/** More seeds: `npx node test/simulation/main.ts --set walks --for 600`. */
const count = 4

test.each(walkSpaces)('$name: the end of a walk equals a new creation', async space => {
  const [counts] = await runWalks({ spaces: [space], seed: 1, count })
  expect(counts?.failures.map(({ text }) => text)).toEqual([])
  expect(counts?.walks).toBe(count)
  // A space without successes would prove nothing.
  expect(counts?.succeeded).toBeGreaterThanOrEqual(count)
})
