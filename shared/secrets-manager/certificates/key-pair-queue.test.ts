import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyPairQueue } from './key-pair-queue.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 1024 })

/** A queue for two key pairs at once. The test decides when they are created. */
const orders = () => {
  const begun: PromiseWithResolvers<KeyPairKeyObjectResult>[] = []
  const create = keyPairQueue(() => {
    const order = Promise.withResolvers<KeyPairKeyObjectResult>()
    begun.push(order)
    return order.promise
  }, 2)
  const ended: number[] = []
  const order = (nth: number) =>
    create().then(
      () => ended.push(nth),
      () => ended.push(-nth),
    )
  return { begun, ended, order }
}

test('the limit is created at once, and the others in the order of their requests', async () => {
  const { begun, ended, order } = orders()
  const all = [1, 2, 3, 4].map(order)
  expect(begun).toHaveLength(2)
  begun[1]?.resolve(keys)
  await all[1]
  expect(begun).toHaveLength(3)
  begun[2]?.resolve(keys)
  await all[2]
  expect(begun).toHaveLength(4)
  begun[0]?.resolve(keys)
  begun[3]?.resolve(keys)
  await Promise.all(all)
  expect(ended).toEqual([2, 3, 1, 4])
})

test('a failed key pair makes room for the next one', async () => {
  const { begun, ended, order } = orders()
  const all = [1, 2, 3].map(order)
  begun[0]?.reject(new Error('no chance'))
  await all[0]
  begun[1]?.resolve(keys)
  begun[2]?.resolve(keys)
  await Promise.all(all)
  expect(ended).toEqual([-1, 2, 3])
})

test('all slots are free again afterwards', async () => {
  const { begun, order } = orders()
  const first = [1, 2, 3].map(order)
  begun[0]?.resolve(keys)
  await first[0]
  for (const { resolve } of begun) resolve(keys)
  await Promise.all(first)
  for (const nth of [4, 5, 6]) void order(nth)
  expect(begun).toHaveLength(5)
})
