import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { type ListedBucketOptions, listedBucket } from '../testing/listed-bucket.ts'
import { type DeletionProgress, noProgress } from './deletion-progress.ts'
import { removePrefix } from './remove-prefix.ts'

const prefix = 'rose/'
const keys = ['rose/1', 'rose/2', 'rose/3', 'rose/4', 'rose/5', 'rose-2/1']
const locked = ['AccessDenied', 'Access Denied because object protected by object lock.'] as const

const setUp = (options: Partial<ListedBucketOptions> = {}) => {
  const listed = listedBucket({ keys, page: 2, ...options })
  const clock = virtualClock(0)
  const run = (progress: DeletionProgress = noProgress, timeMs = 10_000) =>
    removePrefix({ bucket: listed.bucket, prefix, progress, parallel: 1, timeMs, clock })
  return { ...listed, clock, run }
}

describe('the deletion of a prefix', () => {
  test('ends with a pass that finds nothing', async () => {
    const { run, calls, left } = setUp()
    expect(await run()).toEqual({ kind: 'done', deleted: 5, left: 0 })
    expect(calls.slice(-2)).toEqual(['delete rose/5', 'list'])
    expect(left()).toEqual(['rose-2/1'])
  })

  test.each(['rose/1', 'rose/2', 'rose/3', 'rose/5'])(
    'also deletes %s, which the first pass does not list',
    async hidden => {
      const { run, left } = setUp({
        shown: (found, nth) => (nth > 3 ? found : found.filter(key => key !== hidden)),
      })
      expect(await run()).toEqual({ kind: 'done', deleted: 5, left: 0 })
      expect(left()).toEqual(['rose-2/1'])
    },
  )

  test('sends a version that a page repeats once', async () => {
    const { run, calls } = setUp({ shown: found => [...found, ...found] })
    expect(await run()).toMatchObject({ kind: 'done', deleted: 5 })
    expect(calls.filter(call => call.startsWith('delete'))).toEqual([
      'delete rose/1,rose/2',
      'delete rose/3,rose/4',
      'delete rose/5',
    ])
  })

  test('ends with a pass that finds only locked versions, and tags those that an earlier pass did not list', async () => {
    const { run, calls, left } = setUp({
      failures: { 'rose/2': locked, 'rose/4': locked },
      shown: (found, nth) => (nth > 3 ? found : found.filter(key => key !== 'rose/4')),
    })
    expect(await run()).toEqual({ kind: 'done', deleted: 3, left: 2 })
    expect(calls).toContain('tag rose/4')
    expect(left()).toEqual(['rose-2/1', 'rose/2', 'rose/4'])
  })

  test('takes one pass if all versions are locked', async () => {
    const failures = Object.fromEntries(keys.map(key => [key, locked]))
    const { run, calls } = setUp({ failures })
    expect(await run()).toEqual({ kind: 'done', deleted: 0, left: 5 })
    expect(calls.filter(call => call.startsWith('tag'))).toHaveLength(5)
  })

  test.each([false, true])(
    'ends with a whole pass, even if each step takes one page (state of an earlier release: %s)',
    async isOld => {
      const world = setUp({ beforeDelete: async () => world.clock.advance(20_000) })
      let removal = await world.run()
      let steps = 1
      while (removal.kind === 'deleting' && steps++ < 20) {
        const { passFrom: _, ...old } = removal.progress
        removal = await world.run(isOld ? old : removal.progress)
      }
      expect(removal).toEqual({ kind: 'done', deleted: 5, left: 0 })
      expect(world.calls.at(-1)).toBe('list')
      expect(world.left()).toEqual(['rose-2/1'])
    },
  )

  test('with more locked versions than one step tries ends after one pass', async () => {
    const failures = Object.fromEntries(keys.map(key => [key, locked]))
    const world = setUp({ failures, beforeDelete: async () => world.clock.advance(20_000) })
    let removal = await world.run()
    let steps = 1
    while (removal.kind === 'deleting' && steps++ < 20) removal = await world.run(removal.progress)
    expect(removal).toEqual({ kind: 'done', deleted: 0, left: 5 })
    expect(steps).toBe(3)
  })
})
