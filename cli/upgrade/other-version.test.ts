import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { digestOf, findVersion } from './other-version.ts'

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}
const name = '@trellis-gardener/trellis'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-found-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (files: Readonly<Record<string, object | string>>): void => {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
}
const program = 'dist/package/cli/plan/process/main.js'
const library = (more: object = {}) => ({ name, version: '9.8.7', ...more })
const pack = (file: string) => {
  execFileSync('tar', ['-czf', join(folder, file), '-C', folder, 'package'])
  return join(folder, file)
}

describe('a version is found in', () => {
  test('a checkout, which runs its sources even if it was built', async () => {
    write({ 'package.json': library(), 'cli/plan/process/main.ts': '', [program]: '' })
    const found = await findVersion(folder)
    expect(found.title).toBe(`9.8.7 in ${folder}`)
    expect(found.program).toBe(join(folder, 'cli/plan/process/main.ts'))
  })

  test('a checkout, whose changed code is another version', async () => {
    const folders = ['functions', 'sandbox', 'shared', 'terraform-free-infra'].map(name => `${name}/one.ts`)
    const files = Object.fromEntries(folders.map(file => [file, 'same']))
    write({ 'package.json': library(), 'cli/plan/process/main.ts': '', ...files })
    const found = await findVersion(folder)
    const before = digestOf(found)
    expect(digestOf(found)).toBe(before)
    write({ 'functions/one.ts': 'other' })
    expect(digestOf(found)).not.toBe(before)
  })

  test('a folder of a project in which npm has installed it', async () => {
    const root = `node_modules/${name}`
    write({
      'package.json': { name: 'mine' },
      [`${root}/package.json`]: library({ dependencies: { zod: '1.0.0' } }),
      [`${root}/${program}`]: '',
      'node_modules/zod/package.json': { name: 'zod', version: '1.0.0' },
    })
    expect((await findVersion(folder)).program).toBe(join(folder, root, program))
  })

  test('a packed library, which runs with the packages of this version, and is removed', async () => {
    const { zod = '' } = dependencies
    write({
      'package/package.json': library({ dependencies: { zod } }),
      [`package/${program}`]: `import { z } from 'zod'\nexport const found = typeof z.string`,
      'package/../outside.txt': '',
    })
    const found = await findVersion(pack('trellis.tgz'))
    expect(await import(found.program)).toMatchObject({ found: 'function' })
    found.remove()
    expect(() => realpathSync(found.program)).toThrow('ENOENT')
  })
})

describe('a version is refused, with what to do, in', () => {
  test.each<[what: string, files: Parameters<typeof write>[0], why: RegExp]>([
    ['an empty folder', {}, /no version of Trellis: expected a checkout.*npm install --prefix FOLDER/],
    [
      'a version without planners of clouds',
      { 'package.json': library() },
      /9\.8\.7 cannot plan for an upgrade\. The first version that can/,
    ],
    [
      'a checkout without packages',
      { 'package.json': library({ dependencies: { absent: '1.0.0' } }), [program]: '' },
      /its dependencies are not installed \(absent\)\. Run "npm ci"/,
    ],
    [
      'bundles',
      { 'bridge/sbom.cdx.json': { metadata: { component: { version: '9.8.7' } } } },
      /these are bundles of version 9\.8\.7\. A bundle runs one function.*trellis@9\.8\.7/,
    ],
    [
      'images',
      {
        'images/oci-layout': {},
        'images/index.json': { manifests: [{ digest: 'sha256:a' }] },
        'images/blobs/sha256/a': { config: { digest: 'sha256:b' } },
        'images/blobs/sha256/b': {
          config: { Labels: { 'org.opencontainers.image.version': '9.8.7' } },
        },
      },
      /these are images of version 9\.8\.7\./,
    ],
    ['a damaged layout', { 'oci-layout': 'x' }, /these are images of version VERSION\./],
  ])('%s', async (_, files, why) => {
    write(files)
    await expect(findVersion(folder)).rejects.toThrow(why)
  })

  test('a missing folder', async () => {
    await expect(findVersion('1.2.3')).rejects.toThrow('--to 1.2.3: no such file or folder. For a released')
  })

  test('a packed library that needs other packages', async () => {
    write({ 'package/package.json': library({ dependencies: { zod: '0.0.1' } }), [`package/${program}`]: '' })
    await expect(findVersion(pack('trellis.tgz'), '--from')).rejects.toThrow(
      /^--from .*: it needs zod 0\.0\.1, and this version has .*npm install/,
    )
  })

  test.each([
    ['not packed', /not a packed library/],
    ['', /not a packed library/],
  ])('a file that is no library: %j', async (content, why) => {
    write({ 'file.tgz': content })
    await expect(findVersion(join(folder, 'file.tgz'))).rejects.toThrow(why)
  })
})
