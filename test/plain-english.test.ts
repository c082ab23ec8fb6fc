import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repositoryRoot, repositorySources } from './structure/repository-files.ts'

/** A comment, as one line of text, with the line at which it starts. */
interface Comment {
  readonly line: number
  readonly text: string
}

/** Returns the comments that stand on lines of their own: `//` lines and blocks. */
const commentsIn = (source: string): readonly Comment[] => {
  const comments: Comment[] = []
  const lines = source.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const first = lines[index]?.trim() ?? ''
    const isBlock = first.startsWith('/*')
    if (!isBlock && !first.startsWith('// ')) continue
    const start = index
    const isLast = (line: string): boolean =>
      isBlock ? line.includes('*/') : !(lines[index + 1]?.trim().startsWith('// ') ?? false)
    while (index < lines.length && !isLast(lines[index] ?? '')) index++
    const text = lines
      .slice(start, index + 1)
      .map(line => line.trim().replace(/^(?:\/\/|\/\*+|\*(?!\/))\s?|\s?\*\/$/g, ''))
      .join(' ')
      .trim()
    comments.push({ line: start + 1, text })
  }
  return comments
}

/** Openings of a noun clause without a sentence, and words that hide the actor. */
const opening = /^(?:What|Of|Whether|Who|Whoever|Whose|Somebody|Nobody)\b(?![^.]*\?)/
const hidden = /\b(?:somebody|nobody|whoever|shall|anew)\b/i

const isHard = ({ text }: Comment): boolean => opening.test(text) || hidden.test(text)

describe('a hard comment', () => {
  test.each([
    '/** What a step waits for. */',
    '// Of the spec; overrides the Secret.',
    '/**\n * Whether the zone\n * exists.\n */',
    '// It is read again when somebody has changed it.',
  ])('is found: %j', source => {
    expect(commentsIn(source).filter(isHard)).toHaveLength(1)
  })

  test.each([
    '/** Returns the zone; undefined if there is none. */',
    '// What if the process dies here? The next step finds the token.',
    "const what = 'What nobody sees'",
  ])('is not found in %j', source => {
    expect(commentsIn(source).filter(isHard)).toEqual([])
  })
})

test('comments are sentences in plain English (docs/glossary.md)', () => {
  const sources = repositorySources().filter(file => file !== 'test/plain-english.test.ts')
  const hard = sources.flatMap(file =>
    commentsIn(readFileSync(`${repositoryRoot}${file}`, 'utf8'))
      .filter(isHard)
      .map(({ line, text }) => `${file}:${line}: ${text}`),
  )
  expect(hard).toEqual([])
})
