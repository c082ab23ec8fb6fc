import { expect, test } from 'vitest'
import { differencesOf } from './steady-changes.ts'

const requested = new Map([['rose', ['10.0.0.1', '10.0.0.2', '10.0.0.3']]])
const compare = (...writes: readonly string[]) => differencesOf(requested, () => writes)

test('writes in the order of the requests are no difference', () => {
  expect(compare('10.0.0.1', '10.0.0.2', '10.0.0.3')).toEqual([])
})

test.each([
  ['lost', ['10.0.0.1', '10.0.0.3'], { lost: ['10.0.0.2'] }],
  ['repeated', ['10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.3'], { repeated: ['10.0.0.2'] }],
  ['late', ['10.0.0.1', '10.0.0.3', '10.0.0.2'], { late: ['10.0.0.2'] }],
])('a %s write is a difference', (_, writes, expected) => {
  expect(compare(...writes)).toEqual([{ record: 'rose', lost: [], repeated: [], late: [], ...expected }])
})
