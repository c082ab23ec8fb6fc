import { getEventListeners } from 'node:events'
import { queryObjects } from 'node:v8'
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

test('is not kept by those who still listen to it', () => {
  const parent = new AbortController()
  const listenTo = (signal: AbortSignal) => signal.addEventListener('abort', () => {})
  const signals = () => queryObjects(AbortSignal as unknown as new () => AbortSignal)
  const before = signals()
  for (let nth = 0; nth < 100; nth++) {
    const { signal, release } = followSignal(parent.signal)
    listenTo(signal)
    release()
  }
  expect(signals() - before).toBeLessThan(10)
})
