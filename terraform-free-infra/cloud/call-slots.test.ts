import { expect, test } from 'vitest'
import { createCallSlots } from './call-slots.ts'

/** Calls that record their start. The test ends them. */
const setUp = (limit: number) => {
  const slots = createCallSlots(limit)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const call = (name: string, signal?: AbortSignal, host = 'ec2') =>
    slots.take(host, signal).then(end => {
      started.push(name)
      ends.set(name, end)
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await Promise.resolve()
  }
  return { call, end, started }
}

const step = () => new AbortController().signal

test('calls beyond the limit wait until others end', async () => {
  const { call, end, started } = setUp(2)
  for (const name of ['a', 'b', 'c', 'd']) void call(name)
  await Promise.resolve()
  expect(started).toEqual(['a', 'b'])
  await end('b')
  expect(started).toEqual(['a', 'b', 'c'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

test('a call that ends twice frees one slot', async () => {
  const { call, end, started } = setUp(1)
  for (const name of ['a', 'b', 'c']) void call(name)
  await Promise.resolve()
  await end('a')
  await end('a')
  expect(started).toEqual(['a', 'b'])
})

test('the next call of a started step is served before first calls of others', async () => {
  const { call, end, started } = setUp(1)
  const first = step()
  void call('first reads', first)
  void call('second reads', step())
  void call('third reads', step())
  await Promise.resolve()
  void call('first writes', first)
  await end('first reads')
  await end('first writes')
  await end('second reads')
  expect(started).toEqual(['first reads', 'first writes', 'second reads', 'third reads'])
})

test('hosts do not wait for each other', async () => {
  const { call, started } = setUp(1)
  await call('a', undefined, 'ec2')
  await call('b', undefined, 'route53')
  expect(started).toEqual(['a', 'b'])
})

test('an abort ends the wait of a call, with its reason, and takes no slot', async () => {
  const { call, end, started } = setUp(1)
  const abort = new AbortController()
  await call('a')
  const waits = call('b', abort.signal)
  void call('c')
  abort.abort(new Error('the step is over'))
  await expect(waits).rejects.toThrow('the step is over')
  await end('a')
  expect(started).toEqual(['a', 'c'])
  await expect(call('d', abort.signal)).rejects.toThrow('the step is over')
})
