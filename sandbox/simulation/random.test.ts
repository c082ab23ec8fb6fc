import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

const draws = (seed: string) => {
  const random = createRandom(seed)
  return [random(), random.int(1_000), random.uuid(), random.pick(['a', 'b', 'c'])]
}

test('a seed gives the same numbers each time, and another seed gives others', () => {
  expect(draws('7')).toEqual(draws('7'))
  expect(draws('7')).not.toEqual(draws('8'))
})

test('a fork does not depend on what was drawn before', () => {
  const random = createRandom('7')
  random()
  expect(random.fork('people')()).toBe(createRandom('7').fork('people')())
  expect(random.fork('people')()).not.toBe(random.fork('faults')())
})

test('integers are within their bounds, and all occur', () => {
  const random = createRandom('bounds')
  const drawn = new Set(Array.from({ length: 200 }, () => random.between(3, 6)))
  expect([...drawn].sort()).toEqual([3, 4, 5, 6])
})

test('an empty list has nothing to pick', () => {
  expect(() => createRandom('1').pick([])).toThrow(RangeError)
})
