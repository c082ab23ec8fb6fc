import { describe, expect, test } from 'vitest'
import type { Problem } from '../../decode/problems.ts'
import { fieldErrors } from './field-errors.ts'

const object = {
  zones: [{ name: 'a', size: 64 }],
  many: [1, 2, 3],
  by: { 'example.com/x': '-1' },
  empty: '',
  deep: { a: { b: { c: { d: { e: 1 } } } } },
  long: { text: 'x'.repeat(1_000) },
}
const messageOf = (problem: Problem, at?: string): string =>
  fieldErrors([problem], { within: object, ...(at !== undefined && { at }) })[0] ?? ''

describe('a problem is formatted as API servers do', () => {
  test.each<[Problem, string]>([
    [
      { path: 'zones[0].name', message: 'expected b, found "a"' },
      'zones[0].name: Invalid value: "a": expected b',
    ],
    [
      {
        path: 'zones[0].name',
        message: 'expected one of b, c, found a: the others are old',
        kind: 'unsupported',
      },
      'zones[0].name: Unsupported value: "a": expected one of b, c: the others are old',
    ],
    [
      { path: 'zones[0].size', message: 'expected at most 6, found 64' },
      'zones[0].size: Invalid value: 64: expected at most 6',
    ],
    [
      { path: 'zones[0].name', message: 'expected another, found "a" again', kind: 'duplicate' },
      'zones[0].name: Duplicate value: "a": expected another again',
    ],
    [
      { path: 'many', message: 'expected at most 2, found 3', kind: 'too-many' },
      'many: Too many: 3: expected at most 2, found 3',
    ],
    [
      { path: 'by["example.com/x"]', message: 'expected more' },
      'by["example.com/x"]: Invalid value: "-1": expected more',
    ],
    [{ path: 'gone', message: 'expected more', kind: 'required' }, 'gone: Required value: expected more'],
    [{ path: 'gone', message: 'expected it as before' }, 'gone: Invalid value: null: expected it as before'],
    [{ path: 'zones[0]', message: 'expected none', kind: 'forbidden' }, 'zones[0]: Forbidden: expected none'],
    [
      { path: 'zones[0].name', message: 'it is gone', kind: 'not-found' },
      'zones[0].name: Not found: "a": it is gone',
    ],
    [
      { path: 'empty', message: 'expected a text, found an empty string' },
      'empty: Invalid value: "": expected a text, found an empty string',
    ],
    [{ path: '', message: 'nobody knows', kind: 'internal' }, 'Internal error: nobody knows'],
  ])('%j', (problem, expected) => expect(messageOf(problem)).toBe(expected))
})

test('paths are complete', () => {
  const problem: Problem = { path: 'zones', message: 'expected one', kind: 'required' }
  expect(messageOf(problem, 'spec.workers[1]')).toBe('spec.workers[1].zones: Required value: expected one')
  expect(messageOf({ ...problem, path: '' }, 'spec.a')).toBe('spec.a: Required value: expected one')
  expect(messageOf({ ...problem, path: '["x.y"]' }, 'spec.a')).toBe(
    'spec.a["x.y"]: Required value: expected one',
  )
})

test('a large value is shown by its type', () => {
  expect(messageOf({ path: 'deep', message: 'expected less' })).toBe(
    'deep: Invalid value: {…}: expected less',
  )
  expect(messageOf({ path: 'long', message: 'expected less' })).toBe(
    'long: Invalid value: {…}: expected less',
  )
  expect(messageOf({ path: 'zones', message: 'expected less' })).toBe(
    'zones: Invalid value: [{"name":"a","size":64}]: expected less',
  )
})

test('a confidential value is hidden', () => {
  expect(fieldErrors([{ path: 'data[key]', message: 'expected 20 characters, found 4 characters' }])).toEqual(
    ['data[key]: Invalid value: "(hidden)": expected 20 characters, found 4 characters'],
  )
})
