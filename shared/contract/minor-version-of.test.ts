import { expect, test } from 'vitest'
import { minorVersionOf } from './minor-version-of.ts'

test.each([
  ['1.34.1', 1, 34],
  ['v1.33.3', 1, 33],
  ['1.34', 1, 34],
  ['1', 1, 0],
  ['1.34.0-alpha.1', 1, 34],
  ['1.34.0+build.5', 1, 34],
  ['2.0.0', 2, 0],
])('%s is of %i.%i', (version, major, minor) => {
  expect(minorVersionOf(version)).toEqual({ major, minor })
})

test.each(['', 'one', '1.', '1.x', '1.34.1.1', ' 1.34', '1.34.1 ', '1..2'])(
  '%j is not a version',
  version => {
    expect(() => minorVersionOf(version)).toThrow(/^invalid semantic version$/)
  },
)
