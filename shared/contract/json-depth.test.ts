import { describe, expect, it } from 'vitest'
import { deepestJson, isDeeper } from './json-depth.ts'

const lists = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const objects = (levels: number) => JSON.parse('{"a":'.repeat(levels) + 1 + '}'.repeat(levels))

describe('the depth of JSON', () => {
  it.each([
    ['lists', lists],
    ['objects', objects],
  ])('counts %s', (_, nested) => {
    expect([1, 2, 3, 4].map(levels => isDeeper(nested(levels), 3))).toEqual([false, false, false, true])
  })

  it('counts the deepest branch', () => {
    expect(isDeeper({ a: [1, 2], b: { c: { d: [] } } }, 3)).toBe(true)
    expect(isDeeper({ a: [1, 2], b: { c: { d: [] } } }, 4)).toBe(false)
  })

  it.each([null, undefined, 1, 'text'])('has none in %j', value => {
    expect(isDeeper(value, 0)).toBe(false)
  })

  it.each([lists, objects])('is told of a million levels', nested => {
    expect(isDeeper(nested(1_000_000))).toBe(true)
  })

  it('may be so much that whatever walks it by calling itself can do so', () => {
    expect(() => JSON.stringify(structuredClone(objects(deepestJson)))).not.toThrow()
  })
})
