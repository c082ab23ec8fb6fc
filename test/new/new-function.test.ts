import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadGiven } from '../../cli/author/load-given.ts'
import type { NewFunction } from '../../cli/new/new-arguments.ts'
import { writeNewFunction } from '../../cli/new/new-function.ts'
import { plan } from '../../cli/plan/testing/plan-run.ts'
import { checkFunctions } from '../check/check-functions.ts'
import { emptyClone, type ProjectFolder } from './project-folder.ts'

/** Names with other lengths than in the template, so that lines break elsewhere. */
const longNamed = (kind: NewFunction['kind']): NewFunction => ({
  provider: 'somewhere',
  kind,
  name: `somewhere-far-away-${kind.toLowerCase()}`,
  type: 'somewhere-far-away',
  classes: ['shoot'],
})

const filesOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
  )

test('a function generated in a clone passes the checks of functions, and has a plan', async () => {
  const clone = await emptyClone()
  try {
    const { folder } = await writeNewFunction(longNamed('DNSRecord'), { here: clone.folder })
    expect(await checkFunctions(join(clone.folder, 'functions'))).toEqual([])
    const { text } = await plan([join(clone.folder, folder, 'example.yaml')], {
      providers: [],
      functions: await loadGiven([join(clone.folder, folder)]),
    })
    expect(text).toMatch(/^Plan: /m)
  } finally {
    await clone.remove()
  }
})

test.each(['../packed-1.2.3.tgz', 'file:../packed-1.2.3.tgz'])(
  'a new project has its own copy of a packed library, so that it can be pushed: %s',
  async library => {
    const clone = await emptyClone()
    try {
      const folder = join(clone.folder, 'acme')
      const packed = Buffer.from([0, 255, 128])
      await writeFile(join(clone.folder, 'packed-1.2.3.tgz'), packed)
      const { files } = await writeNewFunction(longNamed('DNSRecord'), {
        here: clone.folder,
        folder,
        library,
      })
      expect(files).toContain('vendor/packed-1.2.3.tgz')
      expect(await readFile(join(folder, 'vendor/packed-1.2.3.tgz'))).toEqual(packed)
      const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
      expect(dependencies).toEqual({ '@trellis-gardener/trellis': 'file:vendor/packed-1.2.3.tgz' })
      expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain('`vendor/`')
    } finally {
      await clone.remove()
    }
  },
)

test('the library of the folder that npm has installed it into is copied too, and the registry is left to npm', async () => {
  const clone = await emptyClone()
  try {
    const projectOf = async (name: string, library: string, list = 'dependencies') => {
      const folder = join(clone.folder, name)
      await mkdir(folder)
      const manifest = { [list]: { '@trellis-gardener/trellis': library } }
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
      await writeNewFunction(longNamed('DNSRecord'), { here: folder })
      const written = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
      expect(written.devDependencies).not.toHaveProperty(['@trellis-gardener/trellis'])
      return written.dependencies
    }
    await writeFile(join(clone.folder, 'packed.tgz'), '')
    expect(Object.values(await projectOf('one', 'file:../packed.tgz'))).toEqual(['file:vendor/packed.tgz'])
    const asTool = await projectOf('tool', 'file:../packed.tgz', 'devDependencies')
    expect(Object.values(asTool)).toEqual(['file:vendor/packed.tgz'])
    expect(Object.values(await projectOf('two', '1.2.3'))).toEqual(['1.2.3'])
    expect(existsSync(join(clone.folder, 'two/vendor'))).toBe(false)
  } finally {
    await clone.remove()
  }
})

describe('a new function is refused if', () => {
  let clone: ProjectFolder
  beforeAll(async () => {
    clone = await emptyClone()
    await writeNewFunction(longNamed('DNSRecord'), { here: clone.folder })
  })
  afterAll(() => clone.remove())

  test.each([
    ['its folder already exists', {}, 'already exists; nothing was written'],
    [
      'its name is taken',
      { provider: 'elsewhere' },
      'the name somewhere-far-away-dnsrecord is already used by',
    ],
    ['its objects have a function', { provider: 'elsewhere', name: 'x' }, 'already has a function'],
  ])('%s', async (_, other, why) => {
    const before = await filesOf(join(clone.folder, 'functions'))
    const fn = { ...longNamed('DNSRecord'), ...other }
    await expect(writeNewFunction(fn, { here: clone.folder })).rejects.toThrow(why)
    expect(await filesOf(join(clone.folder, 'functions'))).toEqual(before)
  })

  test('its folder has other content', async () => {
    const folder = join(clone.folder, 'full')
    await mkdir(folder)
    await writeFile(join(folder, 'notes.txt'), '')
    const asked = { here: clone.folder, folder, library: '1.2.3' }
    await expect(writeNewFunction(longNamed('Worker'), asked)).rejects.toThrow(
      'is not empty and not a project',
    )
    expect(await readdir(folder)).toEqual(['notes.txt'])
    expect(existsSync(join(folder, 'package.json'))).toBe(false)
  })
})
