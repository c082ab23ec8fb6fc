import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
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

describe('npm installs the version of', () => {
  const { PATH } = process.env
  afterEach(() => {
    process.env.PATH = PATH
  })
  /** Makes `npm` a shell script. */
  const npm = (script: string) => {
    write({ 'bin/npm': `#!/bin/sh\n${script}\n` })
    chmodSync(join(folder, 'bin/npm'), 0o755)
    process.env.PATH = `${join(folder, 'bin')}:${PATH}`
  }

  test.each<[what: string, files: Parameters<typeof write>[0], given?: string]>([
    ['a version', {}, '9.8.7'],
    ['an image', {}, 'registry.example.com:5000/trellis/bridge:v9.8.7'],
    ['bundles', { 'built/bridge/sbom.cdx.json': { metadata: { component: { version: '9.8.7' } } } }],
    [
      'images',
      {
        'built/images/oci-layout': {},
        'built/images/index.json': { manifests: [{ digest: 'sha256:a' }] },
        'built/images/blobs/sha256/a': { config: { digest: 'sha256:b' } },
        'built/images/blobs/sha256/b': {
          config: { Labels: { 'org.opencontainers.image.version': '9.8.7' } },
        },
      },
    ],
  ])('%s', async (_, files, given = join(folder, 'built')) => {
    const root = `library/node_modules/${name}`
    write({ ...files, [`${root}/package.json`]: library(), [`${root}/${program}`]: '' })
    npm(
      `for last; do :; done; test "$last" = ${name}@9.8.7 && cp -r ${folder}/library/. "$6" && echo "$@" > ${folder}/args`,
    )
    const found = await findVersion(given)
    expect(found.title).toBe('9.8.7')
    expect(readFileSync(join(folder, 'args'), 'utf8')).toContain('--ignore-scripts')
    expect(readFileSync(found.program, 'utf8')).toBe('')
    found.remove()
    expect(() => realpathSync(found.program)).toThrow('ENOENT')
  })

  test('a version that does not exist, and says what npm says', async () => {
    npm('echo "npm error code E404\nnpm error 404 Not Found - GET trellis" >&2; exit 1')
    await expect(findVersion('0.0.9')).rejects.toThrow(
      '--to 0.0.9: npm cannot install version 0.0.9: 404 Not Found - GET trellis. For a released version',
    )
  })
})

describe('a version is refused, with what to do, in', () => {
  test.each<[what: string, files: Parameters<typeof write>[0], why: RegExp]>([
    ['an empty folder', {}, /no version of Trellis: expected a version.*npm install --prefix FOLDER/],
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
    ['a damaged layout', { 'oci-layout': 'x' }, /no version of Trellis: expected a version, an image/],
  ])('%s', async (_, files, why) => {
    write(files)
    await expect(findVersion(folder)).rejects.toThrow(why)
  })

  test('a missing folder', async () => {
    await expect(findVersion('next')).rejects.toThrow('--to next: no such file, folder or version. For a')
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
