import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readExports } from './read-exports.ts'
import { referencePages } from './reference-pages.ts'

const folder = new URL('reference/', import.meta.url)
const entries = await readExports()

test('the reference has each export of the package as the compiler sees it (make docs)', () => {
  const pages = Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]),
  )
  expect(pages['infra.md']).toContain('const planGraph = async <C>(')
  expect(pages).toEqual(referencePages(entries))
})

test.each(entries)('each export of $name has a comment, and each function has an example', ({ exports }) => {
  expect(exports.length).toBeGreaterThan(3)
  expect(exports.filter(({ about }) => about === '').map(({ name }) => name)).toEqual([])
  const functions = exports.filter(({ kind }) => kind === 'function')
  expect(functions.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
})
