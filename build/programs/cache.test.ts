import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cacheFolder, madeOnce, retainUsed } from './cache.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trellis-cache-'))
})
afterEach(() => rm(root, { recursive: true }))

const writing = (text: string) => (into: string) => writeFile(join(into, 'program'), text)

describe('a folder that is created once', () => {
  test('is not created again', async () => {
    const folder = join(root, 'kube', 'abc')
    await madeOnce(folder, writing('first'))
    expect(await madeOnce(folder, writing('second'))).toBe(folder)
    expect(await readFile(join(folder, 'program'), 'utf8')).toBe('first')
  })

  test('does not exist after a failure, and nothing else is left', async () => {
    const make = async (into: string) => {
      await writing('half')(into)
      throw new Error('no more disk')
    }
    await expect(madeOnce(join(root, 'abc'), make)).rejects.toThrow('no more disk')
    expect(await readdir(root)).toEqual([])
  })

  test('has the content of the first process if two processes create it at the same time', async () => {
    const folder = join(root, 'abc')
    const both = await Promise.all([madeOnce(folder, writing('whole')), madeOnce(folder, writing('whole'))])
    expect(both).toEqual([folder, folder])
    expect(await readdir(root)).toEqual(['abc'])
    expect(await readdir(folder)).toEqual(['program'])
  })
})

test.each([
  [{ TRELLIS_CACHE: '/a', XDG_CACHE_HOME: '/b' }, '/a/real'],
  [{ XDG_CACHE_HOME: '/b' }, '/b/trellis/real'],
  [{ TRELLIS_CACHE: '', XDG_CACHE_HOME: '/b' }, '/b/trellis/real'],
])('the cache with %o is %s', (environment, folder) => {
  expect(cacheFolder(environment)).toBe(folder)
})

test('folders that nothing has used for a week are removed beside used ones', async () => {
  const now = new Date('2026-01-20T00:00:00Z')
  for (const [name, day] of [
    ['recent', '2026-01-14'],
    ['old', '2026-01-12'],
    ['old-but-used', '2026-01-01'],
  ] as const) {
    await mkdir(join(root, name))
    await utimes(join(root, name), new Date(day), new Date(day))
  }
  await retainUsed([join(root, 'old-but-used')], now)
  expect((await readdir(root)).toSorted()).toEqual(['old-but-used', 'recent'])
  await retainUsed([join(root, 'old-but-used')], new Date('2026-01-26T00:00:00Z'))
  expect(await readdir(root)).toEqual(['old-but-used'])
})
