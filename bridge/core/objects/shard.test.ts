import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInShard, type Shard } from './decide.ts'

const shardsOf = (of: number, by: Shard['by'] = 'uid') =>
  Array.from({ length: of }, (_, index): Shard => ({ index, of, by }))

describe('sharding', () => {
  test('every object belongs to exactly one bridge', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.uuid(),
        fc.option(fc.string(), { nil: undefined }),
        fc.constantFrom('uid' as const, 'namespace' as const),
        (of, uid, namespace, by) => {
          expect(shardsOf(of, by).filter(shard => isInShard(shard, uid, namespace))).toHaveLength(1)
        },
      ),
    )
  })

  test('by namespace, all objects of a namespace belong to the same bridge', () => {
    fc.assert(
      fc.property(fc.string(), fc.uuid(), fc.uuid(), (namespace, one, other) => {
        for (const shard of shardsOf(7, 'namespace')) {
          expect(isInShard(shard, one, namespace)).toBe(isInShard(shard, other, namespace))
        }
      }),
    )
  })

  test.each([2, 3, 4, 8])('similar names spread evenly over %i bridges', of => {
    const counts = shardsOf(of, 'namespace').map(
      shard =>
        Array.from({ length: 4_000 }, (_, index) => `shoot--project--cluster-${index}`).filter(namespace =>
          isInShard(shard, '', namespace),
        ).length,
    )
    for (const count of counts) expect(Math.abs(count - 4_000 / of)).toBeLessThan(4_000 / of / 5)
  })
})
