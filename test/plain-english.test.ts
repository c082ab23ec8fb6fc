import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repositoryRoot, repositorySources, trackedFiles } from './structure/repository-files.ts'
import { type SourceText, sourceTexts } from './structure/source-texts.ts'

/** Starts of a noun clause without a verb of its own, except in a question. */
const opening = /^(?:What|Of|Whether|Who|Whoever|Whose|Somebody|Nobody|That which)\b(?![^.]*\?)/
/** In pages, `Of several zones, …` may start a sentence. */
const pageOpening = /^(?:What|Whether|Who|Whoever|Whose|Somebody|Nobody|That which)\b(?![^.]*\?)/
/** Texts and test names may start with a small letter. There, `of` and `who` continue another text. */
const smallOpening = /^(?:what|whether|whoever|somebody|nobody)\b(?![^.]*\?)/
/** Words that hide the actor. */
const hidden = /\b(?:[Ss]omebody|[Nn]obody|[Ww]hoever|shall|anew|(?:is|are|was|were) told|lets? go)\b/

/** Returns the hard sentences of a text. */
const hardSentences = (text: string, opens: readonly RegExp[]): readonly string[] =>
  text
    .split(/(?<=[.!?:])\s+(?=[A-Z])/)
    .filter(sentence => opens.some(open => open.test(sentence)) || hidden.test(sentence))

/** Texts that others fix, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'Permission is hereby granted, free of charge': 'the MIT licence',
}

const isException = (text: string): boolean => Object.keys(exceptions).some(start => text.startsWith(start))

/** Their literals are test data, except those that start a call or a row: names of cases. */
const isOfTests = (file: string): boolean => /\.(?:test|real|deep)\.ts$|(^|\/)testing\/|^test\//.test(file)

/** Texts of these files are test data or another program's own. */
const isProduct = (file: string): boolean =>
  !isOfTests(file) && !/^docs\/|^sandbox\/providers\/aws\/simulator\//.test(file)

const hardTexts = (file: string, source: string): readonly string[] =>
  sourceTexts(source).flatMap(({ kind, line, text }: SourceText) => {
    if (kind === 'literal' || kind === 'first literal') {
      const isRead = isProduct(file) || (kind === 'first literal' && isOfTests(file))
      if (!isRead || !/\S\s+\S/.test(text) || isException(text)) return []
    }
    const opens = kind === 'comment' ? [opening] : [opening, smallOpening]
    return hardSentences(text, opens).map(sentence => `${file}:${line}: ${kind}: ${sentence}`)
  })

/** Returns the hard sentences of a page. Headings, code and quoted words do not count. */
const hardLines = (file: string, page: string): readonly string[] => {
  const lines = page.replace(/^```[^\n]*\n[\s\S]*?^```/gm, code => code.replace(/[^\n]+/g, '')).split('\n')
  return lines.flatMap((line, index) => {
    if (line.startsWith('#')) return []
    const item = /^\s*(?:[-*>]|\d+\.)\s+/
    const text = line.replace(item, '').replace(/`[^`]*`|"[^"]*"|(?<=\])\([^)]*\)/g, '`')
    // The first words of any other line may continue the sentence of the line before.
    const isStart = item.test(line) || (lines[index - 1] ?? '').trim() === ''
    return hardSentences(isStart ? text : `…${text}`, [pageOpening]).map(
      sentence => `${file}:${index + 1}: ${sentence.replace('…', '')}`,
    )
  })
}

/** Returns the hard sentences in the comments of a YAML file or a Makefile, which start with `#`. */
const hardComments = (file: string, source: string): readonly string[] =>
  source.split('\n').flatMap((line, index) => {
    const [, comment] = /(?:^|\s)#+ (.*)/.exec(line) ?? []
    if (comment === undefined) return []
    return hardSentences(comment, [opening]).map(sentence => `${file}:${index + 1}: ${sentence}`)
  })

describe('a hard text', () => {
  test.each([
    ['a comment', '/** What a step waits for. */'],
    ['a comment of several lines', '/**\n * Whether the zone\n * exists.\n */'],
    ['a later sentence', '// Returns the zone. Of the spec; overrides the Secret.'],
    ['a comment after code', 'const a = 1 // when nobody has changed it'],
    ['a test name', "test('whoever comes first leads', () => {})"],
    ['the name of rows', "test.each(rows.map(row => [row]))('what %s does', () => {})"],
    ['a text', "throw new Error('what is needed is missing')"],
    ['a template', 'const text = `the zone is made anew: $' + '{name}`'],
    ['a text in a template', 'const text = `$' + "{a ? 'nobody asks' : ''}`"],
  ])('is found: %s', (_, source) => {
    expect(hardTexts('a.ts', source)).toHaveLength(1)
  })

  test.each([
    ['a sentence', '/** Returns the zone; undefined if there is none. */'],
    ['a question', '// What if the process dies here? The next step finds the token.'],
    ['a name', 'const nobody = whoever'],
    ['a value', "const what = 'nobody'"],
    ['a regular expression', "const pattern = [/'what nobody sees'/]"],
    ['a part of a test name', "describe('the step', () => { test('of a shoot ends', () => {}) })"],
  ])('is not found in %s', (_, source) => {
    expect(hardTexts('a.ts', source)).toEqual([])
  })

  test('of a test counts only as a name or a comment', () => {
    expect(hardTexts('a.test.ts', "test('a step ends', () => run('what nobody sees'))")).toEqual([])
  })

  test.each([
    ['a row', "test.each([\n  ['what nobody sees', 1],\n])('%s ends', () => {})"],
    ['a call of a helper', "  create('what is gone', {})"],
    ['a case', "const one = { what: 'what is gone', status: 404 }"],
  ])('is found in the name of a case: %s', (_, source) => {
    expect(hardTexts('testing/cases.ts', source)).toHaveLength(1)
  })

  test('is found in a comment of a YAML file', () => {
    expect(hardComments('a.yaml', '# What a seed has.\nkind: A # whoever reads it\n')).toHaveLength(2)
    expect(hardComments('a.yaml', '# The objects of a seed.\ndata: "#What"\n')).toEqual([])
  })

  test('is found in a page, with its line, but not in its code and headings', () => {
    const page =
      '## What it does\n\n```sh\nwhat nobody sees\n```\nIt writes `anew`, and\nWhat else.\n\n- What is made.\n'
    expect(hardLines('a.md', page)).toEqual(['a.md:9: What is made.'])
  })
})

test('comments, test names and texts of the product are in plain English (docs/glossary.md)', () => {
  const sources = repositorySources().filter(file => file !== 'test/plain-english.test.ts')
  const hard = sources.flatMap(file => hardTexts(file, readFileSync(`${repositoryRoot}${file}`, 'utf8')))
  expect(hard).toEqual([])
})

test('pages are in plain English', () => {
  const hard = trackedFiles('*.md')
    .filter(file => !file.endsWith('glossary.md'))
    .flatMap(file => hardLines(file, readFileSync(`${repositoryRoot}${file}`, 'utf8')))
  expect(hard).toEqual([])
})

test('comments of examples, templates, manifests and the Makefile are in plain English', () => {
  const files = trackedFiles('Makefile', 'examples/*.yaml', 'cli/templates/*.yaml', 'knative/*.yaml')
  expect(files.length).toBeGreaterThan(40)
  const hard = files.flatMap(file => hardComments(file, readFileSync(`${repositoryRoot}${file}`, 'utf8')))
  expect(hard).toEqual([])
})
