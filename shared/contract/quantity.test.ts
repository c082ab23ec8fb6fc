import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalQuantity, wholeQuantity } from './quantity.ts'

describe('the canonical form', () => {
  test.each<[string | number, string]>([
    // Recorded from the Go extension.
    ['1000', '1k'],
    ['2048Gi', '2Ti'],
    ['1.50Gi', '1536Mi'],
    [2, '2'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['10k', '10k'],
    // From apimachinery's tests.
    ['0', '0'],
    ['0Gi', '0'],
    ['-0', '0'],
    ['1Ki', '1Ki'],
    ['512Mi', '512Mi'],
    ['1100Mi', '1100Mi'],
    ['8Ki', '8Ki'],
    ['512Ki', '512Ki'],
    ['0.001Ki', '1024m'],
    ['0.5Ki', '512'],
    ['1023', '1023'],
    ['0.1Gi', '107374182400m'],
    ['1.25Mi', '1280Ki'],
    ['12.3Ki', '12595200m'],
    ['1000000', '1M'],
    ['1100', '1100'],
    ['0.0001', '100u'],
    ['0.0000000001', '1n'],
    ['.1', '100m'],
    ['5.', '5'],
    ['+5', '5'],
    ['-1500m', '-1500m'],
    ['-2048', '-2048'],
    ['-2048Ki', '-2Mi'],
    ['1e3', '1e3'],
    ['1E6', '1e6'],
    ['12e2', '1200'],
    ['1e0', '1'],
    [1e21, '1e21'],
    ['1e-3', '1e-3'],
    ['100e-3', '100e-3'],
    ['1000e-3', '1'],
    ['1E', '1E'],
    ['1000E', '1000E'],
    ['1.5', '1500m'],
    ['00012', '12'],
    ['9223372036854775807', '9223372036854775807'],
    ['16Ei', '9223372036854775807'],
  ])('of %j is %s', (value, canonical) => {
    expect(canonicalQuantity(value)).toBe(canonical)
  })

  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.nat(10 ** 7),
      fc.constantFrom('', '.5', '.25', '.0', '.123456789'),
      fc.constantFrom(
        '',
        'n',
        'u',
        'm',
        'k',
        'M',
        'G',
        'T',
        'P',
        'E',
        'Ki',
        'Mi',
        'Gi',
        'Ti',
        'e3',
        'E-6',
        'e1',
      ),
    )
    .map(parts => parts.join(''))

  test('the canonical form has the same amount and is stable', () => {
    fc.assert(
      fc.property(text, written => {
        const canonical = canonicalQuantity(written)
        expect(wholeQuantity(canonical)).toBe(wholeQuantity(written))
        // Without a suffix, Go also reads a decimal amount, and writes 2024128000 as 2024128k.
        if (!(written.endsWith('i') && /\d$/.test(canonical)))
          expect(canonicalQuantity(canonical)).toBe(canonical)
      }),
      { examples: [['1976687.5Ki']] },
    )
  })

  test('equal amounts have the same canonical form', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.constantFrom('', 'k', 'M'), (count, suffix) => {
        const digits = { '': '', k: '000', M: '000000' }[suffix]
        expect(canonicalQuantity(`${count}${digits}`)).toBe(canonicalQuantity(`${count}${suffix}`))
        expect(canonicalQuantity(`${count * 1024}Mi`)).toBe(canonicalQuantity(`${count}Gi`))
      }),
    )
  })
})

describe('the whole number', () => {
  test.each<[string | number, bigint]>([
    ['1500m', 2n],
    ['9Gi', 9663676416n],
    ['50G', 50000000000n],
    ['1', 1n],
    ['1n', 1n],
    ['-1500m', -2n],
    ['0', 0n],
    [3, 3n],
    ['9007199254740993', 9007199254740993n],
  ])('of %j is %s', (value, whole) => {
    expect(wholeQuantity(value)).toBe(whole)
  })
})

test.each<string | number>([
  '',
  ' 1',
  'Gi',
  '.',
  '1gi',
  '1K',
  '1 Gi',
  '1e',
  '1e1.5',
  '1KiB',
  '--1',
  '0x10',
  '1e999999999',
  '9'.repeat(100_000),
  Number.NaN,
])('%.20j is not a quantity', value => {
  const noQuantity = /^expected a quantity such as 500m or 20Gi, found "/
  expect(() => canonicalQuantity(value)).toThrow(noQuantity)
  expect(() => wholeQuantity(value)).toThrow(noQuantity)
})
