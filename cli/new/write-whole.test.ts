import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeWhole } from './write-whole.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-write-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const files = { 'a.txt': 'one', 'b/c.txt': 'two' }
const broken = async () => {
  throw new Error('no more')
}

test('a missing folder is created with all files and its parent folders', async () => {
  const target = join(folder, 'x/y')
  await writeWhole(target, files)
  expect(await readFile(join(target, 'b/c.txt'), 'utf8')).toBe('two')
  expect(await readdir(join(folder, 'x'))).toEqual(['y'])
  expect((await stat(target)).mode & 0o777).toBe(0o755)
})

test('an existing folder gets the files, and retains its own', async () => {
  await writeFile(join(folder, 'own.txt'), 'mine')
  await writeWhole(folder, files)
  expect((await readdir(folder)).toSorted()).toEqual(['a.txt', 'b', 'own.txt'])
})

test('a failure before the end leaves nothing behind', async () => {
  await expect(writeWhole(join(folder, 'x/y'), files, broken)).rejects.toThrow('no more')
  await expect(writeWhole(folder, files, broken)).rejects.toThrow('no more')
  expect(await readdir(folder)).toEqual([])
})

test('a conflicting file is not changed, and moved files are moved back', async () => {
  await mkdir(join(folder, 'b'))
  await writeFile(join(folder, 'b/own.txt'), 'mine')
  await expect(writeWhole(folder, files)).rejects.toThrow('already exists')
  expect(await readdir(folder, { recursive: true })).toEqual(['b', 'b/own.txt'])
})

test('replaceable files are replaced, and restored if another file conflicts', async () => {
  await writeFile(join(folder, 'a.txt'), 'before')
  await writeWhole(folder, { 'a.txt': 'after' }, undefined, ['a.txt'])
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('after')
  await writeFile(join(folder, 'b'), '')
  await expect(writeWhole(folder, files, undefined, ['a.txt'])).rejects.toThrow('already exists')
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('after')
  expect((await readdir(folder)).toSorted()).toEqual(['a.txt', 'b'])
})
