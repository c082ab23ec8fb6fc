import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot, repositorySources } from './repository-files.ts'

/** Benchmarks measure only what a page quotes. Remove one before you add one. */
const mostLines = 3_980

test(`the benchmarks have at most ${mostLines} lines`, () => {
  const files = repositorySources().filter(file => file.startsWith('test/bench/'))
  expect(files.length).toBeGreaterThan(20)
  const lines = files.map(file => readFileSync(join(repositoryRoot, file), 'utf8').split('\n').length - 1)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(mostLines)
})
