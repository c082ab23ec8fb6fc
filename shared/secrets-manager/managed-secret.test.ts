import { describe, expect, test } from 'vitest'
import { managedSecretOf, newestOf, secretText } from './managed-secret.ts'

const secretOf = (name: string, rotation: string, creationTimestamp: string, data?: unknown) =>
  managedSecretOf({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, creationTimestamp, labels: { 'last-rotation-initiation-time': rotation } },
    data,
  })

describe('the newest generation of a secret', () => {
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']

  test.each([
    ['is the last created one', secretOf('a', '', early), secretOf('b', '', late), 'b'],
    [
      'is the last rotated one, in any order of creation',
      secretOf('a', '', late),
      secretOf('b', '5', early),
      'b',
    ],
    ['is the one with the larger rotation number', secretOf('a', '9', late), secretOf('b', '10', early), 'b'],
  ])('%s', (_, one, other, newest) => {
    expect(newestOf([one, other])?.name).toBe(newest)
    expect(newestOf([other, one])?.name).toBe(newest)
  })

  test('is undefined for an empty list', () => {
    expect(newestOf([])).toBeUndefined()
  })
})

test('data that are not texts are ignored', () => {
  const secret = secretOf('a', '', '2026-01-01T00:00:00Z', { a: btoa('text'), b: 1 })
  expect(secret.data).toEqual({ a: btoa('text') })
  expect(secretText(secret, 'a')).toBe('text')
  expect(secretText(secret, 'b')).toBe('')
  expect(secretOf('a', '', '', null).data).toEqual({})
})
