import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differences } from './differences.ts'

test('differences are named by their paths', () => {
  const from = { ami: 'a', disks: [{ size: 50 }, { size: 20 }], tags: { 'kubernetes.io/x': '1' }, gone: null }
  const to = {
    ami: 'b',
    disks: [{ size: 60 }, { size: 20 }, { size: 1 }],
    tags: { 'kubernetes.io/x': '2' },
    made: {},
  }
  expect(differences(from, to)).toEqual([
    { path: 'ami', from: 'a', to: 'b' },
    { path: 'disks[0].size', from: 50, to: 60 },
    { path: 'disks[2]', from: undefined, to: { size: 1 } },
    { path: 'tags."kubernetes.io/x"', from: '1', to: '2' },
    { path: 'made', from: undefined, to: {} },
    { path: 'gone', from: null, to: undefined },
  ])
})

test('a list and an object differ as a whole', () => {
  expect(differences({ a: [] }, { a: {} })).toEqual([{ path: 'a', from: [], to: {} }])
})

test('there are differences exactly if two values are not equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(differences(one, structuredClone(one))).toEqual([])
      if (JSON.stringify(one) !== JSON.stringify(other) && differences(one, other).length === 0) {
        expect(one).toEqual(other)
      }
    }),
  )
})
