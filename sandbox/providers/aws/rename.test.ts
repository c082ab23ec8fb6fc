import { expect, test } from 'vitest'
import { renamed, renames } from './rename.ts'

test('pairs different ids and addresses at the same place', () => {
  const made = { state: { vpc: 'vpc-0123456789abcdef0', name: 'a' }, egress: ['198.18.0.1/32'] }
  const recorded = {
    state: { vpc: 'vpc-fedcba98', name: 'b' },
    egress: ['203.0.113.1/32'],
    more: 'sg-01234567',
  }
  expect([...renames(made, recorded)]).toEqual([
    ['vpc-0123456789abcdef0', 'vpc-fedcba98'],
    ['198.18.0.1', '203.0.113.1'],
  ])
  expect(renames(undefined, recorded).size).toBe(0)
  expect(renames(recorded, recorded).size).toBe(0)
})

test('renames keys and values, whole names only, and all at once', () => {
  const names = new Map([
    ['vpc-00000001', 'vpc-00000002'],
    ['vpc-00000002', 'vpc-00000001'],
    ['10.0.0.1', '10.0.0.9'],
  ])
  const data = {
    'vpc-00000001': ['vpc-00000002', 'vpc-000000012', 'at 10.0.0.1/32', '10.0.0.11', '110.0.0.1'],
  }
  expect(renamed(data, names)).toEqual({
    'vpc-00000002': ['vpc-00000001', 'vpc-000000012', 'at 10.0.0.9/32', '10.0.0.11', '110.0.0.1'],
  })
})
