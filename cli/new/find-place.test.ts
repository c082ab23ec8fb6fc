import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { findPlace } from './find-place.ts'

let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'trellis-place-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const dependencies = { '@trellis-gardener/trellis': '1.2.3' }
const write = async (name: string, content: object | string) => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

test('an empty or missing folder is for a project', async () => {
  expect(await findPlace(folder)).toEqual({ kind: 'empty', root: folder })
  expect(await findPlace(folder, 'x')).toEqual({ kind: 'empty', root: join(folder, 'x') })
  await mkdir(join(folder, '.git'))
  expect(await findPlace(folder)).toEqual({ kind: 'empty', root: folder })
})

test('a folder with only the library is for a project, too', async () => {
  await write('package.json', { dependencies })
  await write('package-lock.json', '{}')
  await mkdir(join(folder, 'node_modules'))
  expect(await findPlace(folder)).toEqual({ kind: 'empty', root: folder, manifest: { dependencies } })
})

test('below the root of a project or clone, the function is created beside the others', async () => {
  await write('package.json', { name: 'mine', dependencies })
  await write('functions/acme/worker/function.ts', '')
  expect(await findPlace(join(folder, 'functions/acme'))).toEqual({ kind: 'project', root: folder })
  await write('package.json', { name: '@trellis-gardener/trellis' })
  await write('cli/main.ts', '')
  expect(await findPlace(join(folder, 'functions'))).toEqual({ kind: 'clone', root: folder })
})

test('a given folder is used without a search in its parents', async () => {
  await write('package.json', { name: 'mine', dependencies })
  await mkdir(join(folder, 'new'))
  expect(await findPlace(folder, 'new')).toEqual({ kind: 'empty', root: join(folder, 'new') })
})

test.each([
  ['of another project', 'package.json', { name: 'other' }, 'is not empty and not a project'],
  ['with files', 'notes.txt', 'x', 'is not empty and not a project'],
  ['with an invalid package.json', 'package.json', '{', 'is not valid JSON'],
])('a folder %s is refused', async (_, name, content, why) => {
  await write(name, content)
  await expect(findPlace(folder)).rejects.toThrow(UsageError)
  await expect(findPlace(folder)).rejects.toThrow(why)
})

test('a file is refused', async () => {
  await write('notes.txt', 'x')
  await expect(findPlace(folder, 'notes.txt')).rejects.toThrow(
    `cannot use ${join(folder, 'notes.txt')} (ENOTDIR)`,
  )
})
