import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { followSignal } from './follow-signal.ts'

test('aborts with its parent, and with the reason of it', () => {
  const parent = new AbortController()
  const { signal } = followSignal(parent.signal)
  expect(signal.aborted).toBe(false)
  parent.abort(new Error('enough'))
  expect(signal.reason).toEqual(new Error('enough'))
})

test('is aborted from the start when its parent is', () => {
  expect(followSignal(AbortSignal.abort(new Error('before'))).signal.reason).toEqual(new Error('before'))
})

test('aborts by itself, and leaves its parent alone', () => {
  const parent = new AbortController()
  const { signal, abort } = followSignal(parent.signal)
  abort(new Error('mine'))
  expect(signal.reason).toEqual(new Error('mine'))
  expect(parent.signal.aborted).toBe(false)
})

test('follows no longer once it is released', () => {
  const parent = new AbortController()
  const { signal, release } = followSignal(parent.signal)
  release()
  expect(getEventListeners(parent.signal, 'abort')).toEqual([])
  parent.abort()
  expect(signal.aborted).toBe(false)
})

test('is not kept by those who still listen to it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const parent = new AbortController()
  const begun = Array.from({ length: 50 }, () => {
    const { signal, release } = followSignal(parent.signal)
    signal.addEventListener('abort', () => {})
    release()
    return new WeakRef(signal)
  })
  // What a WeakRef was asked for, or made with, stays until the turn of the event loop ends.
  await new Promise(setImmediate)
  collectGarbage()
  expect(begun.filter(signal => signal.deref() !== undefined)).toEqual([])
})
