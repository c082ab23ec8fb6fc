import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FunctionFolder, functionFolder, imports } from '../../functions/testing/function-folder.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { readDescription } from './read-description.ts'

let folder: FunctionFolder
beforeAll(async () => {
  folder = await functionFolder({
    'acme/network/function.ts': `${imports}import { types } from '../types.ts'
console.log('loaded')
setInterval(() => {}, 1000)
export const definition = defineFunction({
  name: 'acme-network', kind: 'Network', type: types,
  create: () => { throw new Error('nobody makes it') },
})
`,
    'acme/types.ts': `export const types: readonly string[] = ['acme', 'acme-fast']\n`,
    'acme/throws/function.ts': `import '../broken.ts'\n`,
    'acme/broken.ts': `interface Unused { readonly a: string }\n\nthrow new Error('out of order')\n`,
    'acme/syntax/function.ts': `const a: number = 1\nconst b: = 2\n`,
    'acme/ends/function.ts': `process.exit(3)\n`,
  })
})
afterAll(() => folder.remove())

const read = (path: string, signal = new AbortController().signal) =>
  readDescription(join(folder.root, path), systemClock, signal)
const problemsOf = async (path: string) => {
  const description = await read(path)
  if (!('problems' in description)) throw new Error('it is a function')
  return description.problems.map(problem => problem.replaceAll(`${folder.root}/`, ''))
}

describe('the file of a function', () => {
  test('it is read as data with its imports, whatever else it does, and afresh each time', async () => {
    const path = 'acme/network/function.ts'
    const { files, ...described } = await read(path)
    expect(described).toMatchObject({
      name: 'acme-network',
      kind: 'Network',
      types: ['acme', 'acme-fast'],
      classes: ['shoot'],
      place: `${join(folder.root, path)}:6`,
      manifest: expect.stringContaining('name: acme-network'),
    })
    const own = files.filter(file => file.startsWith(folder.root))
    expect(own).toEqual([path, 'acme/types.ts'].map(file => join(folder.root, file)))
    await writeFile(join(folder.root, 'acme/types.ts'), `export const types = ['other']\n`)
    expect(await read(path)).toMatchObject({ types: ['other'] })
  })

  test.each([
    [
      'throws in a file that it imports',
      'acme/throws',
      'acme/broken.ts:3: cannot load the file: out of order',
    ],
    ['is not valid TypeScript', 'acme/syntax', 'acme/syntax/function.ts:2: cannot load the file: '],
    ['ends its process', 'acme/ends', 'acme/ends/function.ts: its process exited without output'],
    ['does not exist', 'acme/none', 'acme/none/function.ts: the file does not exist'],
  ])('a file that %s is reported with its line', async (_, path, problem) => {
    const [first = '', ...others] = await problemsOf(`${path}/function.ts`)
    expect(first.slice(0, problem.length)).toBe(problem)
    expect(others).toEqual([])
  })

  test('a broken file still reports its imports', async () => {
    const { files } = await read('acme/throws/function.ts')
    expect(files).toContain(join(folder.root, 'acme/broken.ts'))
  })

  test('an aborted read ends its process', async () => {
    const stop = new AbortController()
    const reading = read('acme/network/function.ts', stop.signal)
    stop.abort(new Error('saved again'))
    await expect(reading).rejects.toThrow('saved again')
  })
})
