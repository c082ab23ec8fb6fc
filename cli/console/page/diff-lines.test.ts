import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const shape = (before: readonly string[], after: readonly string[]) =>
  diffLines(before, after).map(line =>
    line.kind === 'gap' ? `${line.lines}` : `${line.kind[0]} ${line.text}`,
  )

test('equal lines have no difference', () => {
  expect(shape(['a'], ['a'])).toEqual([])
})

test('a change has three lines around it', () => {
  const before = ['1', '2', '3', '4', '5', 'old', '6', '7', '8', '9', '10']
  const after = before.map(line => (line === 'old' ? 'new' : line))
  expect(shape(before, after)).toEqual(['2', 's 3', 's 4', 's 5', 'r old', 'a new', 's 6', 's 7', 's 8', '2'])
})

test('rewritten objects are removed and added', () => {
  const lines = (letter: string) => Array.from({ length: 3000 }, (_, index) => `${letter}${index}`)
  expect(shape(lines('a'), lines('b'))).toHaveLength(6000)
})
