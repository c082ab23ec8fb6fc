import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

test('all items are processed, and never more at once than the limit', async () => {
  const done: number[] = []
  let under = 0
  let most = 0
  await atMost(3, [1, 2, 3, 4, 5, 6, 7], async item => {
    under++
    most = Math.max(most, under)
    await Promise.resolve()
    under--
    done.push(item)
  })
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(most).toBe(3)
})

test('after a failure no item is started, running ones finish, and the failure is thrown', async () => {
  const ended: number[] = []
  const work = async (item: number) => {
    await Promise.resolve()
    if (item === 1) throw new Error('the first')
    await Promise.resolve()
    ended.push(item)
  }
  await expect(atMost(2, [1, 2, 3, 4], work)).rejects.toThrow('the first')
  expect(ended).toEqual([2])
})
