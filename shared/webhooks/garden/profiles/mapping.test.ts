import { expect, test } from 'vitest'
import { isOneOf, mappingsOf } from './mapping.ts'

test('the time for a profile with thousands of versions grows linearly', () => {
  const calls = (versions: number): number => {
    let count = 0
    const counted = Array.from({ length: versions }, (_, index) => ({
      get version() {
        count++
        return `1.${index}.0`
      },
      regions: [],
      capabilityFlavors: [],
    }))
    const mappings = mappingsOf([{ name: 'a', versions: counted }])
    for (let index = 0; index < versions; index++) mappings.find('a', `1.${index}.0`)
    return count
  }
  expect(calls(200)).toBe(10 * calls(20))
})

test('a capability may have the name of a property of every JavaScript object', () => {
  const definitions = [{ name: 'constructor', values: ['a', 'b'] }]
  const isKnown = isOneOf([{}, { constructor: ['b'] }], definitions)
  expect(isKnown({ constructor: ['b', 'a'] })).toBe(true)
  expect(isKnown({ constructor: ['a'] })).toBe(false)
})
