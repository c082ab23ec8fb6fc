import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot, repositorySources, trackedFiles } from './repository-files.ts'

const isProduct = (file: string): boolean =>
  /^(?:bridge|build|cli|functions|knative|shared|terraform-free-infra)\//.test(file) &&
  !/\.(?:test|deep|real)\.ts$|\/testing\//.test(file)

/** The most lines of TypeScript, 3 % above those of the day on which they were set. They may only fall. */
const limits: Readonly<Record<string, { readonly most: number; readonly of: (file: string) => boolean }>> = {
  'the product': { most: 135_540, of: isProduct },
  'the bridge': { most: 5_460, of: file => isProduct(file) && file.startsWith('bridge/') },
  'the benchmarks': { most: 4_090, of: file => file.startsWith('test/bench/') },
  everything: { most: 409_570, of: () => true },
}

test.each(Object.entries(limits))('the lines of %s do not grow', (name, { most, of }) => {
  const files = repositorySources().filter(of)
  expect(files.length).toBeGreaterThan(20)
  const lines = files
    .map(file => readFileSync(join(repositoryRoot, file), 'utf8').split('\n').length - 1)
    .reduce((sum, count) => sum + count, 0)
  console.info(`${name}: ${lines} of ${most} lines`)
  expect(lines).toBeLessThanOrEqual(most)
})

/** The most words of the pages, without references that are generated from code. It may only fall. */
const mostWords = 54_400

test('the words of the documents do not grow', () => {
  const pages = trackedFiles('docs/*.md').filter(
    file => !/^docs\/(?:reference\/|decisions\/|provider-configs\.md$)/.test(file),
  )
  expect(pages.length).toBeGreaterThan(60)
  const words = pages
    .map(file => readFileSync(join(repositoryRoot, file), 'utf8').split(/\s+/).filter(Boolean).length)
    .reduce((sum, count) => sum + count, 0)
  console.info(`the documents: ${words} of ${mostWords} words`)
  expect(words).toBeLessThanOrEqual(mostWords)
})

test('the top has eleven folders', () => {
  const folders = new Set(
    trackedFiles('*').flatMap(file =>
      /^[a-z]/.test(file) && file.includes('/') ? [file.split('/')[0]] : [],
    ),
  )
  expect([...folders].toSorted().join(' ')).toBe(
    'bridge build cli docs examples functions knative sandbox shared terraform-free-infra test',
  )
})
