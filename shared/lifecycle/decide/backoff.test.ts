import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

describe('the backoff', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [10, 512_000],
    [11, 1_000_000],
    [12, 1_000_000],
    [5_000, 1_000_000],
  ])('after %i failures is %i ms', (failures, expected) => {
    expect(backoffMs(failures)).toBe(expected)
  })
})
