import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { above, atMost, below, here, isMet, percentile, type Row } from './figure.ts'
import { tableOf } from './table.ts'

test.each([
  { value: 49, target: below(50), met: true },
  { value: 50, target: below(50), met: false },
  { value: 1, target: atMost(1), met: true },
  { value: 5, target: above(5), met: false },
  { value: 6, target: above(5), met: true },
  { value: 2, target: atMost(1), met: false },
])('$value against $target is met: $met', ({ value, target, met }) => {
  expect(isMet({ name: 'x', unit: 'ms', value, target })).toBe(met)
})

test('a figure without a target is neither met nor missed', () => {
  expect(isMet({ name: 'x', unit: 'ms', value: 1 })).toBeUndefined()
})

test.each([
  { values: [3, 1, 2], fraction: 0.5, is: 2 },
  { values: [3, 1, 2], fraction: 0.99, is: 3 },
])('the value at $fraction of $values is $is', ({ values, fraction, is }) => {
  expect(percentile(values, fraction)).toBe(is)
})

test('an empty list has no percentile', () => {
  expect(() => percentile([], 0.5)).toThrow(RangeError)
})

test('the table shows each figure with target, reference, ratio, conditions, and a note for each other place', () => {
  const there = (where: string) => ({ measured: 'elsewhere', where }) as const
  const figures: readonly Row[] = [
    {
      name: 'start',
      unit: 'ms',
      value: 172.4,
      target: below(300),
      reference: { name: 'bare', value: 28, source: here },
      with: 'cache',
    },
    { name: 'writes', unit: 'MB', value: 1, target: atMost(0) },
    { name: 'rate', unit: 'events/s', value: 3, target: above(2) },
    { name: 'lost', missing: 'Go is not installed' },
    { name: 'a', unit: 'ms', value: 2, reference: { name: 'Go', value: 4, source: there('on a machine') } },
    { name: 'b', unit: 'ms', value: 0, reference: { name: 'Go', value: 1, source: there('on paper') } },
    { name: 'c', unit: 'ms', value: 2, reference: { name: 'Go', value: 1, source: there('on a machine') } },
  ]
  expect(tableOf(figures)).toBe(
    [
      'figure  value         target          reference            ratio   with',
      'start   172 ms        < 300   ok      bare 28              × 6.16  cache',
      'writes  1 MB          ≤ 0     MISSED',
      'rate    3 events/s    > 2     ok',
      'lost    not measured                                               Go is not installed',
      'a       2 ms                          Go 4, elsewhere [1]  × 0.50',
      'b       0 ms                          Go 1, elsewhere [2]  × 0.00',
      'c       2 ms                          Go 1, elsewhere [1]  × 2.00',
      '',
      '[1] measured elsewhere: on a machine',
      '[2] measured elsewhere: on paper',
      '',
    ].join('\n'),
  )
})

test('constants of other programs appear in the column of their places', () => {
  const folder = import.meta.dirname
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const others = files.filter(file => /(?<!test)\.ts$/.test(file) && file !== 'measured-elsewhere.ts')
  expect(others.length).toBeGreaterThan(20)
  for (const file of others) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect(text, file).not.toMatch(/name: '(Go extension|ApiServerSource)|measured: 'elsewhere', where: '/)
  }
})
