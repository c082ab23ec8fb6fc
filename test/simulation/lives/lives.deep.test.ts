// First: it replaces builtins to which modules of the product take references when they are loaded.
import '../../../sandbox/simulation/simulation.ts'
import { expect, test } from 'vitest'
import { lifeCases } from './life-cases.ts'
import { casts, createLives } from './lives-set.ts'
import { lifeLines } from './plan-life.ts'

const lives = createLives()

const castOf = (name: string) => {
  const cast = casts.find(one => one.name === name)
  if (cast === undefined) throw new Error(`there is no cast ${name}`)
  return cast
}

test.each(lifeCases)('it is fixed that $found', async ({ plan }) => {
  const { broken } = await lives.play(plan, castOf(plan.cast))
  expect(broken, lifeLines(plan).join('\n')).toEqual([])
})

/** `make simulate` runs others, without an end. */
const livesOfEach = 6
const seeds = casts.flatMap(({ name }) =>
  Array.from({ length: livesOfEach }, (_, number) => `${name} fixed-${number}`),
)

test.each(seeds)('no life in an unkind account breaks an invariant: %s', async seed => {
  const cast = castOf(seed.split(' ')[0] ?? '')
  const plan = await lives.plan(seed, cast)
  const { broken } = await lives.play(plan, cast)
  expect(broken, lifeLines(plan).join('\n')).toEqual([])
})
