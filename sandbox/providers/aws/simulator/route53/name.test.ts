import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalName, fatal, isProblem, isWithin, parseName, sortKey } from './name.ts'

describe('domain names', () => {
  test.each([
    ['example.com', 'example.com.'],
    ['example.com.', 'example.com.'],
    ['WWW.Example.COM', 'www.example.com.'],
    ['*.example.com', '\\052.example.com.'],
    ['\\052.example.com', '\\052.example.com.'],
    ['@.example.com', '\\100.example.com.'],
    ['_acme-challenge.example.com', '_acme-challenge.example.com.'],
    ['a\\056b.example.com', 'a\\056b.example.com.'],
    ['\\101.example.com', 'a.example.com.'],
    ['ä.example.com', '\\303\\244.example.com.'],
  ])('the canonical form of %s is %s', (name, canonical) => {
    expect(canonicalName(name)).toBe(canonical)
  })

  test.each([
    ['', "FATAL problem: DomainNameEmpty (Domain name is empty) encountered with ''"],
    ['a..b', "FATAL problem: DomainLabelEmpty (Domain label is empty) encountered with 'a..b'"],
    ['.', "FATAL problem: DomainLabelEmpty (Domain label is empty) encountered with '.'"],
    [
      `${'x'.repeat(64)}.com`,
      `FATAL problem: DomainLabelTooLong (Domain label is too long) encountered with '${'x'.repeat(64)}'`,
    ],
    [
      Array(64).fill('abc').join('.'),
      `FATAL problem: DomainNameTooLong (Domain name is too long) encountered with '${Array(64).fill('abc').join('.')}'`,
    ],
  ])('%s is refused', (name, text) => {
    const parsed = parseName(name)
    expect(isProblem(parsed) && fatal(parsed)).toBe(text)
  })

  test('a canonical form does not change again', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        labels => {
          const once = canonicalName(labels.join('.'))
          expect(canonicalName(once)).toBe(once)
        },
      ),
    )
  })

  test.each([
    ['a.example.com.', 'example.com.', true],
    ['example.com.', 'example.com.', true],
    ['badexample.com.', 'example.com.', false],
    ['com.', 'example.com.', false],
  ])('%s within %s: %s', (name, zone, expected) => {
    expect(isWithin(name, zone)).toBe(expected)
  })

  test('a name is sorted by its labels in reverse, with a trailing dot', () => {
    expect(sortKey('www.example.com.')).toBe('com.example.www.')
    expect(sortKey('\\052.example.com.')).toBe('com.example.*.')
  })
})
