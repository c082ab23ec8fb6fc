import { describe, expect, test } from 'vitest'
import { type State, stateKeeper } from './state.ts'

/** A store with writes that end on request. */
const slowStore = () => {
  const written: State[] = []
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  return {
    written,
    waiting,
    save: (state: State) =>
      new Promise<void>((resolve, reject) => {
        written.push(state)
        waiting.push({ resolve, reject })
      }),
  }
}
const yieldToEventLoop = () => new Promise(resolve => setImmediate(resolve))

describe('the state of a step', () => {
  test('is not written if nothing differs', async () => {
    const store = slowStore()
    const keeper = stateKeeper({ a: '1' }, store.save)
    keeper.change({ a: '1', b: undefined })
    await keeper.saved()
    expect(store.written).toEqual([])
  })

  test('is never written concurrently, and later changes share one write', async () => {
    const store = slowStore()
    const keeper = stateKeeper({}, store.save)
    const saved = (key: string) => {
      keeper.change({ [key]: '1' })
      return keeper.saved()
    }
    const first = saved('a')
    await yieldToEventLoop()
    const others = [saved('b'), saved('c')]
    await yieldToEventLoop()
    expect(store.written).toEqual([{ a: '1' }])
    store.waiting[0]?.resolve()
    await yieldToEventLoop()
    expect(store.written).toEqual([{ a: '1' }, { a: '1', b: '1', c: '1' }])
    store.waiting[1]?.resolve()
    await Promise.all([first, ...others])
  })

  test('names the keys that a merging store must drop, also those of a failed write', async () => {
    const removals: (readonly string[])[] = []
    let fails = true
    const keeper = stateKeeper({ a: '1' }, async (_, removed) => {
      removals.push(removed)
      if (fails) throw new Error('reset')
    })
    keeper.change({ b: '1' })
    await keeper.saved().catch(() => undefined)
    keeper.change({ a: undefined, b: undefined })
    await keeper.saved().catch(() => undefined)
    fails = false
    await keeper.saved()
    keeper.change({ c: '1' })
    await keeper.saved()
    expect(removals).toEqual([[], ['a', 'b'], ['a', 'b'], []])
  })

  test('rejects the callers of a failed write, and writes again for the next caller', async () => {
    const store = slowStore()
    const keeper = stateKeeper({}, store.save)
    keeper.change({ a: '1' })
    const first = keeper.saved().catch((error: Error) => error.message)
    await yieldToEventLoop()
    keeper.change({ b: '1' })
    const second = keeper.saved()
    store.waiting[0]?.reject(new Error('conflict'))
    expect(await first).toBe('conflict')
    await yieldToEventLoop()
    store.waiting[1]?.resolve()
    await second
    expect(store.written.at(-1)).toEqual({ a: '1', b: '1' })
    expect(keeper.current()).toEqual({ a: '1', b: '1' })
  })
})
