import { expect, test } from 'vitest'
import { patchDifferences } from './patch-differences.ts'

const present = { spec: { a: 1, list: [1, 2], 'x/y': 'z' }, metadata: { labels: { a: 'b' } } }

test('a merge patch changes only the fields that it names, and lists item by item', () => {
  expect(
    patchDifferences(present, { spec: { a: 2, list: [1, 3], 'x/y': null, new: { deep: true } } }),
  ).toEqual([
    { path: 'spec.a', from: 1, to: 2 },
    { path: 'spec.list[1]', from: 2, to: 3 },
    { path: 'spec."x/y"', from: 'z', to: undefined },
    { path: 'spec.new', from: undefined, to: { deep: true } },
  ])
})

test('a merge patch without differences changes nothing', () => {
  expect(patchDifferences(present, { spec: { a: 1, list: [1, 2] }, metadata: { labels: null } })).toEqual([
    { path: 'metadata.labels', from: { a: 'b' }, to: undefined },
  ])
})
