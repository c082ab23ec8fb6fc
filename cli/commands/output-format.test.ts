import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { encoded, wrapped } from './observe-output.ts'
import { isText, outputOption } from './output-format.ts'

const shared = { state: 'failed' }
const value = { at: 1, list: [shared, shared], text: 'a\u001b[31mb\nc' }

describe('a value for programs', () => {
  test('is the same in JSON and YAML, without characters that a terminal could act on', () => {
    for (const format of ['json', 'yaml']) {
      const text = encoded(value, format)
      expect(format === 'json' ? JSON.parse(text) : parse(text)).toEqual(value)
      expect(text).not.toContain('\u001b')
      expect(text).not.toContain('&a1')
    }
  })

  test('is a line or a document of a stream', () => {
    expect(encoded(value, 'json', true).trim()).not.toContain('\n')
    const stream = encoded(value, 'yaml', true) + encoded({ at: 2 }, 'yaml', true)
    expect(parseAllDocuments(stream).map(document => document.toJS())).toEqual([value, { at: 2 }])
  })
})

test('wide text is not folded', () => {
  const { columns } = process.stdout
  process.stdout.columns = 60
  try {
    const line = `${'one line with more words than fit into the terminal '.repeat(3).trim()}\n`
    expect(wrapped(line, 'wide')).toBe(line)
    expect(wrapped(line, 'text').split('\n').length).toBeGreaterThan(2)
  } finally {
    process.stdout.columns = columns
  }
})

test('every command offers the same formats, and trace a page besides', () => {
  expect(outputOption().argChoices).toEqual(['text', 'wide', 'json', 'yaml'])
  expect(outputOption('html').argChoices).toContain('html')
  expect(['text', 'wide', 'json', 'yaml', 'html'].filter(isText)).toEqual(['text', 'wide'])
})
