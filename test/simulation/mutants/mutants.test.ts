import { describe, expect, test } from 'vitest'
import { mutateSources } from './mutated-sources.ts'
import { readMutants } from './read-mutants.ts'

const mutants = readMutants()

describe('the mutants', () => {
  test('there are at least sixty, with consecutive numbers', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(60)
    expect(mutants.map(({ name }) => Number.parseInt(name, 10))).toEqual(mutants.map((_, index) => index + 1))
  })

  test.each(mutants)('the patch $name applies to the sources', async mutant => {
    const sources = await mutateSources(mutant)
    sources.remove()
  })
})
