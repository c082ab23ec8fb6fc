import { expect, test } from 'vitest'
import { machinesAtOnce } from './machines-at-once.ts'

test.each<[number | string, number | string, number, number, number]>([
  [1, 0, 5, 1, 0],
  [2, 3, 5, 2, 3],
  [0, 0, 5, 0, 1],
  ['25%', '25%', 5, 2, 1],
  ['10%', '10%', 5, 1, 0],
  ['0%', '10%', 5, 0, 1],
  ['150%', 0, 2, 3, 0],
  ['10%', '10%', 0, 0, 1],
])(
  'a surge of %s and %s unavailable of %i machines are %i and %i',
  (maxSurge, maxUnavailable, replicas, ...both) => {
    const [surge, unavailable] = both
    expect(machinesAtOnce({ maxSurge, maxUnavailable }, replicas)).toEqual({ surge, unavailable })
  },
)
