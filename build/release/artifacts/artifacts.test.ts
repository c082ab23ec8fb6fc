import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findPrograms } from '../../images/images.ts'
import { ownProject } from '../../project/project.ts'
import { writeChecksums } from './checksums.ts'
import { releaseCharts } from './release-charts.ts'
import { releaseManifests } from './release-manifests.ts'
import { writeSboms } from './release-sboms.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-artifacts-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the manifests of a release name each image by digest', async () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const programs = (await findPrograms(await ownProject())).map(({ name }) => name)
  const images = Object.fromEntries(programs.map(name => [name, `registry.example/${name}@${digest}`]))
  const text = [...(await releaseManifests(root, images)).values()].join('\n')
  expect(text).toContain(`image: registry.example/bridge@${digest}\n`)
  expect(text).not.toContain('registry.invalid')
})

test('the charts of a release have its version, and its registry as default', async () => {
  const charts = await releaseCharts(
    { ...(await ownProject()), version: '1.2.3' },
    'registry.example/trellis',
  )
  expect(charts.map(({ file }) => file)).toEqual([
    'trellis-1.2.3.tgz',
    'trellis-admission-runtime-1.2.3.tgz',
    'trellis-admission-application-1.2.3.tgz',
  ])
  for (const { files } of charts) {
    expect(parse(files.get('Chart.yaml') ?? '')).toMatchObject({ version: '1.2.3', appVersion: '1.2.3' })
    const { image } = parse(files.get('values.yaml') ?? '')
    if (image !== undefined) expect(image).toMatchObject({ registry: 'registry.example/trellis' })
  }
  const [trellis] = charts
  expect(trellis?.files.get('values.yaml')).toContain(
    '# Tag of all images. Default: the version of the chart.',
  )
})

test('the SBOM of the npm package lists its dependencies and what it contains of others, but no build tool', async () => {
  const files = await writeSboms(root, {
    bundles: folder,
    programs: [],
    project: { ...(await ownProject()), version: '1.2.3' },
    into: join(folder, 'sboms'),
  })
  const { metadata, components } = JSON.parse(await readFile(files.get('npm-package') ?? '', 'utf8'))
  expect(metadata.component).toMatchObject({ name: 'trellis', version: '1.2.3' })
  const names: readonly string[] = components.map((one: { readonly purl: string }) =>
    one.purl.replace(/@[^@]*$/, ''),
  )
  expect(names).toEqual(
    expect.arrayContaining(['pkg:npm/zod', 'pkg:npm/cloudevents', 'pkg:npm/%40marcbachmann/cel-js']),
  )
  expect(names.filter(name => /vitest|esbuild|typescript|biome/.test(name))).toEqual([])
})

test('the checksums have the format of sha256sum, and leave out their own file and its signature', async () => {
  for (const name of ['b.txt', 'a.txt', '.hidden', 'SHA256SUMS', 'SHA256SUMS.sigstore.json'])
    await writeFile(join(folder, name), name === 'a.txt' ? 'a' : '')
  expect(await writeChecksums(folder)).toEqual(['a.txt', 'b.txt'])
  expect(await readFile(join(folder, 'SHA256SUMS'), 'utf8')).toBe(
    'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.txt\n' +
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b.txt\n',
  )
})
