import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Generated files, and this file, which has broken links as examples. */
const skipped = new Set(['node_modules', 'dist', 'coverage', 'citations.test.ts'])
const ends = /\.(ts|mjs|cjs|md|yaml)$/

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (skipped.has(entry.name) || entry.name.startsWith('.')) return []
    return entry.isDirectory() ? filesIn(path) : ends.test(entry.name) ? [relative(root, path)] : []
  })

const files = filesIn(root)
const pages = files.filter(file => file.endsWith('.md'))
const readText = (file: string) => readFileSync(join(root, file), 'utf8')

/** Returns the anchors that GitHub derives from a page's headings, except those within code. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )

const known = new Map<string, readonly string[]>()
const anchorsIn = (page: string): readonly string[] => {
  const anchors = known.get(page) ?? anchorsOf(readText(page))
  known.set(page, anchors)
  return anchors
}

/** Returns undefined if the page exists and, if given, its heading, too. */
const fault = (page: string, anchor: string | undefined): string | undefined => {
  if (!existsSync(join(root, page))) return `there is no ${page}`
  if (!anchor || !page.endsWith('.md') || anchorsIn(page).includes(anchor)) return undefined
  return `${page} has no heading #${anchor}`
}

/** Returns the pages of `docs/` that a text names by their full path, with or without a heading. */
const citationsIn = (text: string) =>
  [...text.matchAll(/(?<![\w./-])docs\/([\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, page = '', anchor]) => ({
    page: `docs/${page}`,
    anchor,
  }))

const folders = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !skipped.has(entry.name))
  .map(({ name }) => name)

/**
 * Returns paths in code marks that are within a folder of the repository; except those with a placeholder, and the
 * fictional provider.
 */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w.-]+)\/([\w./-]+)`/g)]
    .filter(([, folder = '', rest = '']) => folders.includes(folder) && !rest.includes('acme'))
    .map(([, folder = '', rest = '']) => `${folder}/${rest}`)

const isMissing = (path: string): boolean => !existsSync(join(root, path))

/** Returns a page's links within the repository. */
const linksIn = (page: string, text: string) =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, target = '', anchor]) => ({
    page: target === '' ? page : join(dirname(page), target),
    anchor,
  }))

const faultsOf = (
  file: string,
  found: readonly { readonly page: string; readonly anchor: string | undefined }[],
): readonly string[] =>
  found.flatMap(({ page, anchor }) => {
    const what = fault(page, anchor)
    return what === undefined ? [] : [`${file}: ${what}`]
  })

describe('a citation', () => {
  test('it leads to an existing page and heading', () => {
    expect(files.flatMap(file => faultsOf(file, citationsIn(readText(file))))).toEqual([])
  })

  test('the path of a file or folder exists', () => {
    expect(
      files.flatMap(file =>
        pathsIn(readText(file))
          .filter(isMissing)
          .map(path => `${file}: ${path}`),
      ),
    ).toEqual([])
    expect(pathsIn(readText('docs/glossary.md')).length).toBeGreaterThan(20)
    expect(pathsIn('see `shared/no-such.ts` and `functions/<provider>`').filter(isMissing)).toEqual([
      'shared/no-such.ts',
    ])
  })

  test('no citation uses a section number, which leads nowhere', () => {
    const numbered = files.flatMap(file =>
      readText(file)
        .split('\n')
        .flatMap((line, index) =>
          /§|\bQ\d{1,2}\b/.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    )
    expect(numbered).toEqual([])
    expect(files.flatMap(file => citationsIn(readText(file))).length).toBeGreaterThan(140)
  })

  test('a citation of a decision leads to its page', () => {
    const decisions = readdirSync(join(root, 'docs/decisions'))
    const cited = files.flatMap(file =>
      [...readText(file).matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number = '']) => ({ file, number })),
    )
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ number }) => !decisions.some(name => name.startsWith(number)))).toEqual([])
  })

  test.each([
    ['see docs/contract/lifecycle.md#dispatch).', undefined],
    ['see docs/contract/lifecycle.md', undefined],
    [
      'see docs/contract/lifecycle.md#no-such-rule',
      'docs/contract/lifecycle.md has no heading #no-such-rule',
    ],
    ['see docs/contract/no-such-page.md#dispatch', 'there is no docs/contract/no-such-page.md'],
  ])('the check detects: "%s"', (text, what) => {
    expect(citationsIn(text).map(({ page, anchor }) => fault(page, anchor))).toEqual([what])
  })
})

describe('a page', () => {
  test.each(pages)('%s links to existing pages and headings', page => {
    expect(faultsOf(page, linksIn(page, readText(page)))).toEqual([])
  })

  test.each(pages.filter(page => page.startsWith('docs/contract/')))(
    '%s has no repeated heading, so that each anchor identifies one rule',
    page => {
      const anchors = anchorsIn(page)
      expect(anchors.length).toBeGreaterThan(1)
      expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
    },
  )

  test('every page of the contract is in the list of its first page', () => {
    const index = readText('docs/contract/README.md')
    const names = readdirSync(join(root, 'docs/contract')).filter(name => name !== 'README.md')
    expect(names.filter(name => !index.includes(`(${name})`))).toEqual([])
  })

  test.each([
    ['[a](lifecycle.md#dispatch)', undefined],
    ['[a](#dispatch)', undefined],
    ['[a](../architecture.md)', undefined],
    [
      '[a](#no-such-rule)',
      'docs/contract/lifecycle.md: docs/contract/lifecycle.md has no heading #no-such-rule',
    ],
    ['[a](../no-such-page.md#x)', 'docs/contract/lifecycle.md: there is no docs/no-such-page.md'],
  ])('the check of its links detects: %s', (text, what) => {
    const page = 'docs/contract/lifecycle.md'
    expect(faultsOf(page, linksIn(page, text))).toEqual(what === undefined ? [] : [what])
  })
})
