import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimFolder, emptyFolder } from './output-folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-output-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('an output folder replaces the files of an earlier run', async () => {
  const out = join(folder, 'new/out')
  await emptyFolder(out)
  await writeFile(join(out, 'old.txt'), '')
  await claimFolder(out)
  expect((await readdir(out)).toSorted()).toEqual(['.trellis-output', 'old.txt'])
  await emptyFolder(out)
  expect(await readdir(out)).toEqual(['.trellis-output'])
})

test.each([claimFolder, emptyFolder])('a folder with files of a user stays as it is', async prepare => {
  await writeFile(join(folder, 'other.txt'), '')
  await expect(prepare(folder)).rejects.toThrow(
    'has files that Trellis has not written, so they are not replaced. Choose another folder with --out',
  )
  expect(await readdir(folder)).toEqual(['other.txt'])
})
