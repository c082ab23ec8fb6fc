import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { followSignal } from './follow-signal.ts'

test('a following signal aborts with its parent and the same reason', () => {
  const parent = new AbortController()
  const { signal } = followSignal(parent.signal)
  expect(signal.aborted).toBe(false)
  parent.abort(new Error('enough'))
  expect(signal.reason).toEqual(new Error('enough'))
})

test('a following signal of an aborted parent is aborted from the start', () => {
  expect(followSignal(AbortSignal.abort(new Error('before'))).signal.reason).toEqual(new Error('before'))
})

test('a following signal can abort without its parent', () => {
  const parent = new AbortController()
  const { signal, abort } = followSignal(parent.signal)
  abort(new Error('mine'))
  expect(signal.reason).toEqual(new Error('mine'))
  expect(parent.signal.aborted).toBe(false)
})

test('a released signal no longer follows', () => {
  const parent = new AbortController()
  const { signal, release } = followSignal(parent.signal)
  release()
  expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  parent.abort()
  expect(signal.aborted).toBe(false)
})

test('a remaining listener does not keep the signal in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const parent = new AbortController()
  const begun = Array.from({ length: 50 }, () => {
    const { signal, release } = followSignal(parent.signal)
    signal.addEventListener('abort', () => {})
    release()
    return new WeakRef(signal)
  })
  const left = () => begun.filter(signal => signal.deref() !== undefined)
  // A WeakRef keeps its target alive until the current turn of the event loop ends. A collection that began before
  // these signals were created keeps them as well, so one collection does not prove that they are retained.
  for (let round = 0; round < 20 && left().length > 0; round++) {
    await new Promise(setImmediate)
    collectGarbage()
  }
  expect(left()).toHaveLength(0)
})
