import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readShootPath, shootPath } from '../admission.ts'

const key = randomBytes(32)
const path = shootPath(key, 'shoot--foo--bar')
const [, proof = ''] = path.split('/')

test('a path names the shoot that asks', () => {
  expect(path).toMatch(/^shoot--foo--bar\/[\w-]{43}$/)
  expect(readShootPath([key], path)).toBe('shoot--foo--bar')
})

test('a path of the former key is valid during the rotation', () => {
  expect(readShootPath([randomBytes(32), key], path)).toBe('shoot--foo--bar')
})

test.each<[string, string]>([
  ['of another shoot', `shoot--foo--baz/${proof}`],
  ['without a proof', 'shoot--foo--bar'],
  ['with an empty proof', 'shoot--foo--bar/'],
  ['with a part of the proof', path.slice(0, -4)],
  ['with more after it', `${path}/x`],
  ['with a proof written otherwise', `${path}=`],
  ['without a shoot', `/${proof}`],
  ['that is empty', ''],
])('a path %s identifies no shoot', (_, other) => {
  expect(readShootPath([key], other)).toBeUndefined()
})

test('a path of another key identifies no shoot', () => {
  expect(readShootPath([randomBytes(32)], path)).toBeUndefined()
  expect(readShootPath([], path)).toBeUndefined()
})

test('a key that is too short is refused', () => {
  expect(() => shootPath(Buffer.from('x'), 'shoot--foo--bar')).toThrow(RangeError)
})
