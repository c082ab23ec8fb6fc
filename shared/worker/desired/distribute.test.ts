import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distribute, distributeLimit } from './desired-replicas.ts'

/** Results of the functions of the Go extension: total, zones, shares. */
const sizes: readonly [number, number, readonly number[]][] = [
  [0, 1, [0]],
  [1, 1, [1]],
  [2, 1, [2]],
  [4, 1, [4]],
  [5, 1, [5]],
  [10, 1, [10]],
  [11, 1, [11]],
  [0, 2, [0, 0]],
  [1, 2, [1, 0]],
  [2, 2, [1, 1]],
  [4, 2, [2, 2]],
  [5, 2, [3, 2]],
  [10, 2, [5, 5]],
  [11, 2, [6, 5]],
  [0, 3, [0, 0, 0]],
  [1, 3, [1, 0, 0]],
  [2, 3, [1, 1, 0]],
  [4, 3, [2, 1, 1]],
  [5, 3, [2, 2, 1]],
  [10, 3, [4, 3, 3]],
  [11, 3, [4, 4, 3]],
]

/** Percentage, total, zones, shares. */
const percentages: readonly [string, number, number, string][] = [
  ['1%', 0, 2, '1% 1%'],
  ['1%', 0, 3, '1% 1% 1%'],
  ['1%', 1, 2, '2% 0%'],
  ['1%', 1, 3, '3% 0% 0%'],
  ['1%', 2, 2, '1% 1%'],
  ['1%', 2, 3, '2% 2% 0%'],
  ['1%', 3, 2, '2% 1%'],
  ['1%', 3, 3, '1% 1% 1%'],
  ['1%', 4, 2, '1% 1%'],
  ['1%', 4, 3, '2% 1% 1%'],
  ['1%', 5, 2, '2% 1%'],
  ['1%', 5, 3, '2% 2% 1%'],
  ['1%', 10, 2, '1% 1%'],
  ['1%', 10, 3, '2% 1% 1%'],
  ['1%', 11, 2, '2% 1%'],
  ['1%', 11, 3, '2% 2% 1%'],
  ['15%', 0, 2, '15% 15%'],
  ['15%', 0, 3, '15% 15% 15%'],
  ['15%', 1, 2, '30% 0%'],
  ['15%', 1, 3, '45% 0% 0%'],
  ['15%', 2, 2, '15% 15%'],
  ['15%', 2, 3, '23% 23% 0%'],
  ['15%', 3, 2, '21% 11%'],
  ['15%', 3, 3, '15% 15% 15%'],
  ['15%', 4, 2, '15% 15%'],
  ['15%', 4, 3, '23% 12% 12%'],
  ['15%', 5, 2, '18% 12%'],
  ['15%', 5, 3, '18% 18% 9%'],
  ['15%', 10, 2, '15% 15%'],
  ['15%', 10, 3, '18% 14% 14%'],
  ['15%', 11, 2, '17% 14%'],
  ['15%', 11, 3, '17% 17% 13%'],
  ['50%', 0, 2, '50% 50%'],
  ['50%', 0, 3, '50% 50% 50%'],
  ['50%', 1, 2, '100% 0%'],
  ['50%', 1, 3, '150% 0% 0%'],
  ['50%', 2, 2, '50% 50%'],
  ['50%', 2, 3, '75% 75% 0%'],
  ['50%', 3, 2, '67% 34%'],
  ['50%', 3, 3, '50% 50% 50%'],
  ['50%', 4, 2, '50% 50%'],
  ['50%', 4, 3, '75% 38% 38%'],
  ['50%', 5, 2, '60% 40%'],
  ['50%', 5, 3, '60% 60% 30%'],
  ['50%', 10, 2, '50% 50%'],
  ['50%', 10, 3, '60% 45% 45%'],
  ['50%', 11, 2, '55% 46%'],
  ['50%', 11, 3, '55% 55% 41%'],
]

const machines = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const zoneCount = fc.integer({ min: 1, max: 20 })

describe('a number of machines', () => {
  test.each(sizes)('%i over %i zones', (total, zones, shares) => {
    expect(distribute(total, zones)).toEqual(shares)
    expect(distributeLimit(total, 17, zones)).toEqual(shares)
  })

  test('equals the sum of its shares, which are in descending order and differ by at most one', () => {
    fc.assert(
      fc.property(machines, zoneCount, (total, zones) => {
        const shares = distribute(total, zones)
        expect(shares).toHaveLength(zones)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total)
        expect(shares).toEqual(shares.toSorted((a, b) => b - a))
        expect(Number(shares[0]) - Number(shares.at(-1))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('has no shares without zones', () => {
    expect(distribute(3, 0)).toEqual([])
    expect(distributeLimit('10%', 3, 0)).toEqual([])
  })
})

describe('a percentage', () => {
  test.each(percentages)('%s of %i over %i zones is %s', (percent, total, zones, shares) => {
    expect(distributeLimit(percent, total, zones).join(' ')).toBe(shares)
  })

  test('is not changed if the zones are equal', () => {
    expect(distributeLimit('007%', 6, 3)).toEqual(['007%', '007%', '007%'])
  })

  test('gives the zones together at least the share of the pool, each rounded up by less than a machine', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 1_000 }),
        zoneCount,
        (percent, total, zones) => {
          const shares = distribute(total, zones)
          const got = distributeLimit(`${percent}%`, total, zones).map(
            (limit, i) => (Number(shares[i]) * Number.parseInt(String(limit), 10)) / 100,
          )
          const pool = (total * percent) / 100
          const sum = got.reduce((all, one) => all + one, 0)
          const squares = shares.reduce((all, share) => all + share * share, 0)
          // A zone's percentage is proportional to its share, so the zones together get slightly more than the pool.
          expect(sum).toBeGreaterThanOrEqual(pool - 1e-6)
          expect(sum).toBeLessThan((percent / 100) * (zones / total) * squares + total / 100 + 1e-6)
        },
      ),
    )
  })

  test.each(['', '%', '5', '-1%', '1.5%', 'ten%', '5 %', `${'9'.repeat(99)}%`])(
    'a retention of %j is refused',
    text => {
      expect(() => distributeLimit(text, 4, 3)).toThrow(
        /^expected a number or a percentage such as 25%, found "/,
      )
      expect(() => distributeLimit(text, 4, 2)).toThrow(
        expect.objectContaining({ codes: ['ERR_CONFIGURATION_PROBLEM'] }),
      )
    },
  )
})
