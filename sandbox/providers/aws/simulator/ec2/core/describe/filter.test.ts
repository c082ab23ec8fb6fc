import { describe, expect, test } from 'vitest'
import { conditionsOf, fulfils, matches } from './filter.ts'

describe('filter values', () => {
  test.each([
    ['shoot', 'shoot', true],
    ['shoot', 'shoots', false],
    ['shoot*', 'shoot--p--n1', true],
    ['*nodes', 'shoot-nodes', true],
    ['*', '', true],
    ['z?', 'z1', true],
    ['z?', 'z', false],
    ['a.c', 'abc', false],
    ['(a)+', '(a)+', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['a\\?b', 'a?b', true],
    ['a\\\\b*', 'a\\bc', true],
    ['a\nb*', 'a\nbc', true],
    ['Shoot', 'shoot', false],
  ])('matching %j against %j returns %s', (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected)
  })
})

const row = { tags: [{ Key: 'Name', Value: 'x' }], state: 'available', groups: ['g1', 'g2'] }
const fields = {
  state: ({ state }: typeof row) => state,
  groups: ({ groups }: typeof row) => groups,
  absent: () => undefined,
}
const check = (...filters: { Name: string; Values: string[] }[]) =>
  fulfils(row, conditionsOf(filters, fields), fields)

describe('filtering rows', () => {
  test('a row matches a filter if any value matches, and must match all filters', () => {
    expect(check({ Name: 'state', Values: ['pending', 'available'] })).toBe(true)
    expect(check({ Name: 'groups', Values: ['g2'] })).toBe(true)
    expect(check({ Name: 'state', Values: ['available'] }, { Name: 'groups', Values: ['g3'] })).toBe(false)
    expect(check({ Name: 'absent', Values: ['*'] })).toBe(false)
  })

  test('rows can be found by tag, by key alone and by value alone', () => {
    expect(check({ Name: 'tag:Name', Values: ['x'] })).toBe(true)
    expect(check({ Name: 'tag:Name', Values: ['y'] })).toBe(false)
    expect(check({ Name: 'tag:name', Values: ['x'] })).toBe(false)
    expect(check({ Name: 'tag-key', Values: ['Name'] }, { Name: 'tag-value', Values: ['x'] })).toBe(true)
  })
})

test.each([
  [[{ Name: 'nonsense', Values: ['x'] }], "The filter 'nonsense' is invalid"],
  [[{ Name: 'constructor', Values: ['x'] }], "The filter 'constructor' is invalid"],
  [[{ Name: 'state', Values: [] }], "The filter 'state' must have at least one value"],
  [
    [{ Name: 'state', Values: Array.from({ length: 201 }, () => 'x') }],
    'The maximum number of filter values specified on a single call is 200',
  ],
])('the filters %o are refused', (filters, message) => {
  expect(() => conditionsOf(filters, fields)).toThrow(message)
})
