import { describe, expect, test } from 'vitest'
import { createStateWriter, type State } from './state.ts'

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
    const stateWriter = createStateWriter({ a: '1' }, store.save)
    stateWriter.change({ a: '1', b: undefined })
    await stateWriter.saved()
    expect(store.written).toEqual([])
  })

  test('is never written concurrently, and later changes share one write', async () => {
    const store = slowStore()
    const stateWriter = createStateWriter({}, store.save)
    const saved = (key: string) => {
      stateWriter.change({ [key]: '1' })
      return stateWriter.saved()
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

  test('names the keys that a merging store must drop, including the keys of a failed write', async () => {
    const removals: (readonly string[])[] = []
    let fails = true
    const stateWriter = createStateWriter({ a: '1' }, async (_, removed) => {
      removals.push(removed)
      if (fails) throw new Error('reset')
    })
    stateWriter.change({ b: '1' })
    await stateWriter.saved().catch(() => undefined)
    stateWriter.change({ a: undefined, b: undefined })
    await stateWriter.saved().catch(() => undefined)
    fails = false
    await stateWriter.saved()
    stateWriter.change({ c: '1' })
    await stateWriter.saved()
    expect(removals).toEqual([[], ['a', 'b'], ['a', 'b'], []])
  })

  test('rejects the callers of a failed write, and writes again for the next caller', async () => {
    const store = slowStore()
    const stateWriter = createStateWriter({}, store.save)
    stateWriter.change({ a: '1' })
    const first = stateWriter.saved().catch((error: Error) => error.message)
    await yieldToEventLoop()
    stateWriter.change({ b: '1' })
    const second = stateWriter.saved()
    store.waiting[0]?.reject(new Error('conflict'))
    expect(await first).toBe('conflict')
    await yieldToEventLoop()
    store.waiting[1]?.resolve()
    await second
    expect(store.written.at(-1)).toEqual({ a: '1', b: '1' })
    expect(stateWriter.current()).toEqual({ a: '1', b: '1' })
  })
})
