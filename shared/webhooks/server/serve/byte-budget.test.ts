import { expect, test } from 'vitest'
import { virtualClock } from '../../../clock/clock.ts'
import { createByteBudget, weighReview } from './byte-budget.ts'

const begin = () => {
  const clock = virtualClock(0)
  const budget = createByteBudget({ all: 30, shoots: 20, shoot: 10, least: 2 }, clock)
  const started: string[] = []
  const take = async (name: string, shoot: string | undefined, bytes: number) => {
    const share = await budget.take(shoot, bytes, 1_000)
    started.push(share === undefined ? `${name} gave up` : name)
    return share
  }
  const nextTask = () => new Promise(resolve => setImmediate(resolve))
  return { clock, started, take, nextTask }
}

test('reviews beyond the limit wait until others have ended', async () => {
  const { started, take, nextTask, clock } = begin()
  const first = await take('first', undefined, 30)
  void take('second', undefined, 20)
  void take('third', undefined, 10)
  await nextTask()
  expect(started).toEqual(['first'])
  first?.release()
  first?.release()
  await nextTask()
  expect(started).toEqual(['first', 'second', 'third'])
  expect(clock.pending()).toEqual([])
})

test('a shoot delays neither other shoots nor the seed', async () => {
  const { started, take, nextTask } = begin()
  void take('a', 'shoot--a', 10)
  void take('a again', 'shoot--a', 10)
  void take('b', 'shoot--b', 10)
  void take('c', 'shoot--c', 10)
  void take('seed', undefined, 10)
  await nextTask()
  expect(started).toEqual(['a', 'b', 'seed'])
})

test('a small review counts as the minimum', async () => {
  const { started, take, nextTask } = begin()
  for (let number = 0; number < 20; number++) void take(String(number), undefined, 0)
  await nextTask()
  expect(started).toHaveLength(15)
})

test('a review that has waited too long is aborted, and takes nothing', async () => {
  const { started, take, nextTask, clock } = begin()
  const first = await take('first', undefined, 30)
  void take('second', undefined, 30)
  await clock.advance(1_000)
  first?.release()
  void take('third', undefined, 30)
  await nextTask()
  expect(started).toEqual(['first', 'second gave up', 'third'])
})

test('a share grows within the free bytes, and releases all of them', async () => {
  const { started, take, nextTask } = begin()
  const first = await take('first', 'shoot--a', 4)
  expect(first?.grow(10)).toBe(true)
  expect(first?.grow(6)).toBe(true)
  expect(first?.grow(11)).toBe(false)
  void take('a again', 'shoot--a', 2)
  const seed = await take('seed', undefined, 20)
  expect(seed?.grow(21)).toBe(false)
  first?.release()
  await nextTask()
  expect(started).toEqual(['first', 'seed', 'a again'])
  expect(seed?.grow(28)).toBe(true)
})

const weigh = (text: string) => weighReview(Buffer.from(text))

test('a body counts its length', () => {
  const text = JSON.stringify({ kind: 'ConfigMap', data: { text: 'x'.repeat(1_000) } })
  expect(weigh(text)).toBe(text.length)
})

test('a body of empty objects and lists counts more than its length', () => {
  expect(weigh('[{},{},[],[]]')).toBe(5 * 28)
})

test('brackets in strings count as text', () => {
  const text = JSON.stringify(['{[{['.repeat(100), String.raw`a"{{{\"{{{\\`, '{{{{', '\\'])
  expect(weigh(text)).toBe(text.length)
})

test('an unterminated string takes linear time', () => {
  const text = `"${'\\'.repeat(100_000)}`
  expect(weigh(text)).toBe(text.length)
  expect(weigh(`"${String.raw`\"`.repeat(100_000)}`)).toBe(200_001)
})
