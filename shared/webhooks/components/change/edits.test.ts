import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeFlags, setFlag, setLastFlag, setListedFlag } from '../webhooks.ts'

describe('a flag', () => {
  test('that exists is set in place, at each occurrence', () => {
    expect(setFlag(['x', '--a=1', '--b', '--a=2'], '--a', '3')).toEqual(['x', '--a=3', '--b', '--a=3'])
  })

  test('without a value gets one', () => {
    expect(setFlag(['x', '--a'], '--a', '3')).toEqual(['x', '--a=3'])
  })

  test('that is missing is appended', () => {
    expect(setFlag(['x'], '--a', '3')).toEqual(['x', '--a=3'])
  })

  test('with the same prefix in its name is not changed', () => {
    expect(setFlag(['x', '--ab=1'], '--a', '3')).toEqual(['x', '--ab=1', '--a=3'])
    expect(removeFlags(['x', '--ab=1', '--a=2', '--a'], ['--a'])).toEqual(['x', '--ab=1'])
  })

  test('can be moved to the end', () => {
    expect(setLastFlag(['--a', 'x', '--a=2'], '--a', '3')).toEqual(['x', '--a=3'])
  })
})

describe('an entry of a flag', () => {
  const set = (...command: string[]) => setListedFlag(command, '--feature-gates', 'A', 'true')

  test.each<[string, string[], string[]]>([
    ['comes with the flag', ['x'], ['x', '--feature-gates=A=true']],
    ['comes after the others', ['--feature-gates=B=false,C'], ['--feature-gates=B=false,C,A=true']],
    [
      'takes the place of its other value',
      ['--feature-gates=A=false,B=true'],
      ['--feature-gates=A=true,B=true'],
    ],
    ['is there once', ['--feature-gates=A=false,B=true,A=true'], ['--feature-gates=A=true,B=true']],
    ['stays as it is', ['--feature-gates=B=true,A=true'], ['--feature-gates=B=true,A=true']],
    ['fills a flag without a value', ['--feature-gates'], ['--feature-gates=A=true']],
    ['fills an empty flag', ['--feature-gates='], ['--feature-gates=A=true']],
    [
      'is not one whose key begins the same',
      ['--feature-gates=AB=false'],
      ['--feature-gates=AB=false,A=true'],
    ],
    [
      'is looked for in each of several flags',
      ['--feature-gates=B=true', '--feature-gates=A=false'],
      ['--feature-gates=B=true', '--feature-gates=A=true'],
    ],
    [
      'comes with the first of several flags',
      ['--feature-gates=B=true', '--feature-gates=B=true'],
      ['--feature-gates=B=true,A=true', '--feature-gates=B=true'],
    ],
  ])('%s', (_, before, after) => {
    expect(set(...before)).toEqual(after)
  })
})

const item = fc.oneof(
  fc.constantFrom('--a', '--a=', '--a=1', '--a=K=false,L=true', '--a=K=x,K=y', '--ab=K=1', '--b=2'),
  fc.string(),
)

test.each<[string, (command: readonly string[]) => readonly string[]]>([
  ['setFlag', command => setFlag(command, '--a', '3')],
  ['setLastFlag', command => setLastFlag(command, '--a', '3')],
  ['removeFlags', command => removeFlags(command, ['--a'])],
  ['setListedFlag', command => setListedFlag(command, '--a', 'K', 'true')],
])('%s a second time changes nothing, and other items retain their order', (_, change) => {
  fc.assert(
    fc.property(fc.array(item), command => {
      const once = change(command)
      expect(change(once)).toEqual(once)
      const others = (items: readonly string[]) => items.filter(one => !/^--a(=|$)/.test(one))
      expect(others(once)).toEqual(others(command))
    }),
  )
})
