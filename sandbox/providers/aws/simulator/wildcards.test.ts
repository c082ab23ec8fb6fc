import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesWildcards, wildcardOf } from './wildcards.ts'

const matches = (pattern: string, text: string) => matchesWildcards(pattern.split('').map(wildcardOf), text)

test.each([
  ['', '', true],
  ['*', '', true],
  ['?', '', false],
  ['a*c', 'abbc', true],
  ['a*c', 'abbcd', false],
  ['*b*', 'abc', true],
  ['a?c', 'abc', true],
  ['a.c', 'abc', false],
  ['s3:Get*', 's3:GetObject', true],
])('%j matches %j: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected)
})

test('the result equals that of a regular expression', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
  fc.assert(
    fc.property(few, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }), (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`)
      expect(matches(pattern, text)).toBe(expression.test(text))
    }),
  )
})
