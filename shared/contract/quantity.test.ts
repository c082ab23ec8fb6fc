import { expect, test } from 'vitest'
import { canonicalQuantity, wholeQuantity } from './quantity.ts'

test.each([
  ['0.5', '500m'],
  ['1024Mi', '1Gi'],
  ['1000', '1k'],
  ['2048Gi', '2Ti'],
  ['1.50Gi', '1536Mi'],
  [2, '2'],
  ['10k', '10k'],
  ['100m', '100m'],
  ['1500m', '1500m'],
  ['2000m', '2'],
  ['0', '0'],
  ['0Gi', '0'],
  ['0.5Ki', '512'],
  ['1023.5Ki', '1048064'],
  ['1024Ki', '1Mi'],
  ['0.3Ki', '307200m'],
  ['1e3', '1e3'],
  ['12e-1', '1200e-3'],
  ['100E0', '100'],
  ['50G', '50G'],
  ['0.0000000001', '1n'],
  ['-1.5', '-1500m'],
  ['+4', '4'],
  ['.5', '500m'],
  ['5.', '5'],
  ['9999999999999999999', '9223372036854775807'],
  ['8Ei', '9223372036854775807'],
])('%s is %s in canonical form', (quantity, canonical) => {
  expect(canonicalQuantity(quantity)).toBe(canonical)
})

test.each([
  ['1500m', 2n],
  ['9Gi', 9663676416n],
  ['50G', 50000000000n],
  ['1', 1n],
  ['1n', 1n],
  ['-1500m', -2n],
  [0, 0n],
])('%s is %i as a whole number', (quantity, whole) => {
  expect(wholeQuantity(quantity)).toBe(whole)
})

test.each(['', '.', 'Gi', '1 Gi', '1KiB', '1e', '--1'])('%j is no quantity', text => {
  expect(() => canonicalQuantity(text)).toThrow(TypeError)
})
