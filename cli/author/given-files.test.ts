import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { functionFolder } from '../../functions/testing/function-folder.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { givenFiles } from './given-files.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})
const folderOf = async (...paths: readonly string[]): Promise<string> => {
  const { root, remove } = await functionFolder(Object.fromEntries(paths.map(path => [path, ''])))
  undo.push(remove)
  return root
}

describe('--function', () => {
  test('it accepts the folder of a function, or its file', async () => {
    const root = await folderOf('function.ts', 'zone.ts', 'inner/function.ts')
    const file = join(root, 'function.ts')
    expect(givenFiles([root])).toEqual([file])
    expect(givenFiles([file, root])).toEqual([file])
  })

  test('it accepts a folder with functions below it, such as functions/', async () => {
    const root = await folderOf(
      'acme/network/function.ts',
      'acme/dnsrecord/function.js',
      'other/function.mts',
      'node_modules/x/function.ts',
      '.git/function.ts',
      'a/b/c/function.ts',
    )
    expect(givenFiles([root])).toEqual(
      ['acme/dnsrecord/function.js', 'acme/network/function.ts', 'other/function.mts'].map(path =>
        join(root, path),
      ),
    )
  })

  test.each([
    ['that does not exist', ['x.ts'], 'nowhere', 'no such folder'],
    ['without a function', ['a/x.ts'], '.', 'found no function.ts in this folder or in its subfolders'],
    ['that is a file', ['x.ts'], 'x.ts', 'expected a folder with a function.ts'],
  ])('it refuses a folder %s', async (_, paths, given, problem) => {
    const root = await folderOf(...paths)
    const refused = () => givenFiles([join(root, given)])
    expect(refused).toThrow(UsageError)
    expect(refused).toThrow(problem)
  })
})
