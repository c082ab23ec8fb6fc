import { expect, test } from 'vitest'
import { virtualClock } from '../../../clock/clock.ts'
import { createByteBudget, weighReview } from './byte-budget.ts'

const begin = () => {
  const clock = virtualClock(0)
  const budget = createByteBudget(
    { all: 30, shoots: 20, shoot: 10, least: 2, places: { shoots: 7, shoot: 4 }, slowMs: 100 },
    clock,
  )
  const started: string[] = []
  const evicted: string[] = []
  const take = async (name: string, shoot: string | undefined, bytes: number, received = 0) => {
    const share = await budget.take(shoot, bytes, 1_000, {
      received: () => received,
      evict: () => evicted.push(name),
    })
    started.push(share === undefined ? `${name} gave up` : name)
    return share
  }
  const nextTask = () => new Promise(resolve => setImmediate(resolve))
  return { clock, started, evicted, take, nextTask }
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

test('unfinished bodies of one shoot leave places for other shoots and the seed, however many it sends', async () => {
  const { started, take, nextTask } = begin()
  for (let number = 0; number < 22; number++) void take(`a${number}`, 'shoot--a', 0)
  await nextTask()
  expect(started.filter(name => !name.endsWith('gave up'))).toHaveLength(4)
  for (const shoot of ['b', 'c', 'd']) void take(shoot, `shoot--${shoot}`, 2)
  for (let number = 0; number < 5; number++) void take(`seed${number}`, undefined, 2)
  await nextTask()
  expect(started.slice(-8)).toEqual(['b', 'c', 'd', 'seed0', 'seed1', 'seed2', 'seed3', 'seed4'])
})

test('a new review of a shoot evicts the slowest body of its own once that is slow', async () => {
  const { clock, started, evicted, take, nextTask } = begin()
  for (let number = 0; number < 4; number++) void take(`a${number}`, 'shoot--a', 0, [3, 1, 2, 4][number])
  await nextTask()
  await clock.advance(100)
  void take('new', 'shoot--a', 2)
  await nextTask()
  expect(evicted).toEqual(['a1'])
  expect(started.at(-1)).toBe('new')
})

test('two shoots that hold all bytes with slow bodies delay a third only until they are slow', async () => {
  const { clock, started, evicted, take, nextTask } = begin()
  void take('a', 'shoot--a', 10, 5)
  void take('b', 'shoot--b', 10, 1)
  void take('c', 'shoot--c', 10)
  await nextTask()
  expect(started).toEqual(['a', 'b'])
  await clock.advance(100)
  expect(evicted).toEqual(['b'])
  expect(started).toEqual(['a', 'b', 'c'])
})

test('the places of all shoots together leave room for the seed, and a shoot with fewer evicts one with more', async () => {
  const { clock, started, evicted, take, nextTask } = begin()
  for (let number = 0; number < 4; number++) void take(`a${number}`, 'shoot--a', 0, number)
  for (let number = 0; number < 3; number++) void take(`b${number}`, 'shoot--b', 0, 9)
  await nextTask()
  void take('early', 'shoot--c', 0)
  await nextTask()
  expect(started.at(-1)).toBe('early gave up')
  await clock.advance(100)
  void take('c', 'shoot--c', 0)
  await nextTask()
  expect(evicted).toEqual(['a0'])
  expect(started.at(-1)).toBe('c')
})

test('a body that has arrived is not evicted, and neither is one of the seed', async () => {
  const { clock, started, evicted, take, nextTask } = begin()
  const whole = await take('a', 'shoot--a', 10)
  whole?.arrived()
  void take('seed', undefined, 20)
  void take('b', 'shoot--b', 10)
  await nextTask()
  await clock.advance(900)
  expect(evicted).toEqual([])
  expect(started).toEqual(['a', 'seed'])
})

test('a released or evicted review returns its bytes and its place once', async () => {
  const { clock, started, take, nextTask } = begin()
  const shares = await Promise.all([0, 1, 2, 3].map(number => take(`a${number}`, 'shoot--a', 2)))
  await clock.advance(100)
  void take('a4', 'shoot--a', 2)
  await nextTask()
  for (const share of shares) {
    share?.release()
    share?.release()
  }
  for (let number = 5; number < 12; number++) void take(`a${number}`, 'shoot--a', 2)
  await nextTask()
  expect(started.slice(5).filter(name => !name.endsWith('gave up'))).toEqual(['a5', 'a6', 'a7'])
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
