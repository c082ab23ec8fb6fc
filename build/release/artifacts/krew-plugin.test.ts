import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isVersion } from '../changelog/changelog.ts'
import { krewManifest, writeKrewPlugin } from './krew-plugin.ts'

const run = promisify(execFile)
const source = 'https://github.com/acme/trellis'
let work = ''
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'trellis-krew-'))
})
afterAll(() => rm(work, { recursive: true, force: true }))

/** The rules of krew v0.4 for a manifest in a file of a name (internal/index/validation). */
const problemsOf = (name: string, { apiVersion, kind, metadata, spec }: ReturnType<typeof krewManifest>) => [
  ...(apiVersion === 'krew.googlecontainertools.github.com/v1alpha2' ? [] : ['apiVersion']),
  ...(kind === 'Plugin' ? [] : ['kind']),
  ...(/^[\w-]+$/.test(name) && metadata.name === name ? [] : ['name']),
  ...(spec.version.startsWith('v') && isVersion(spec.version.slice(1)) ? [] : ['version']),
  ...(spec.shortDescription !== '' && !/[\r\n]/.test(spec.shortDescription) ? [] : ['shortDescription']),
  ...(spec.platforms.length > 0 ? [] : ['platforms']),
  ...spec.platforms.flatMap(({ uri, sha256, bin, selector }) => [
    ...(/^https:\/\/\S+\.(?:tar\.gz|zip)$/.test(uri) ? [] : ['uri']),
    ...(/^[a-f0-9]{64}$/.test(sha256) ? [] : ['sha256']),
    ...(bin === '' ? ['bin'] : []),
    ...selector.matchExpressions.flatMap(({ key }) => (key === 'os' || key === 'arch' ? [] : [key])),
    ...(selector.matchExpressions.length > 0 ? [] : ['selector']),
  ]),
]

test('the manifest follows the rules of krew', () => {
  const manifest = krewManifest({ version: '1.2.3-rc.1', source, file: 'a.tar.gz', sha256: 'a'.repeat(64) })
  expect(problemsOf('trellis', manifest)).toEqual([])
  expect(manifest.spec.shortDescription.length).toBeLessThanOrEqual(50)
  const broken = krewManifest({ version: '1', source: 'http://a b', file: 'a', sha256: 'a' })
  expect(problemsOf('other', broken)).toEqual(['name', 'version', 'uri', 'sha256'])
})

test('the archive has the package with its dependencies, and krew starts its program', async () => {
  const parts = join(work, 'package')
  await mkdir(join(parts, 'cli'), { recursive: true })
  const manifest = {
    name: '@trellis-gardener/trellis',
    version: '1.2.3',
    bin: { trellis: 'cli/trellis.mjs' },
  }
  await writeFile(join(parts, 'package.json'), JSON.stringify(manifest))
  await writeFile(
    join(parts, 'cli/trellis.mjs'),
    `#!/usr/bin/env node\nconsole.log(process.argv[1].split('/').at(-1))\n`,
  )
  await run('tar', ['-czf', join(work, 'library.tgz'), '-C', work, 'package'])
  const out = join(work, 'out')
  await mkdir(out)
  await writeKrewPlugin({ library: join(work, 'library.tgz'), version: '1.2.3', source, out, work })

  const written = parse(await readFile(join(out, 'trellis.yaml'), 'utf8')) as ReturnType<typeof krewManifest>
  expect(problemsOf('trellis', written)).toEqual([])
  const [platform] = written.spec.platforms
  const archive = await readFile(join(out, 'kubectl-trellis-1.2.3.tar.gz'))
  expect(platform?.sha256).toBe(createHash('sha256').update(archive).digest('hex'))
  expect(platform?.uri).toBe(`${source}/releases/download/v1.2.3/kubectl-trellis-1.2.3.tar.gz`)

  // As krew does: it unpacks the archive, and links the program under the name of the plugin.
  const store = join(work, 'store')
  await mkdir(store)
  await run('tar', ['-xzf', join(out, 'kubectl-trellis-1.2.3.tar.gz'), '-C', store])
  const plugin = join(work, 'kubectl-trellis')
  await symlink(join(store, platform?.bin ?? ''), plugin)
  await writeFile(join(work, 'node'), `#!/bin/sh\nexec ${process.execPath} "$@"\n`)
  await chmod(join(work, 'node'), 0o755)
  const { stdout } = await run(plugin, [], { env: { PATH: `${work}:${process.env.PATH}` } })
  expect(stdout).toBe('kubectl-trellis\n')
})
