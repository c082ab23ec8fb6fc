import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { openLayout, unpackImage } from '../../build/images/images.ts'
import {
  type MemoryRegistry,
  startMemoryRegistry,
} from '../../build/images/registry/testing/memory-registry.ts'
import { makeMachineBase } from '../../build/images/testing/machine-base.ts'
import { outputOf } from '../../build/programs/programs.ts'
import { packageVersion } from '../../build/project/package-version.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type PackedLibrary, packLibrary } from '../authors/packed-library.ts'
import { reconcileWith } from './reconcile-with.ts'

// The way of an author with the packed library: from an empty folder to images, manifests, charts and registrations.
let library: PackedLibrary
let project = ''
let base = ''
let registry: MemoryRegistry
beforeAll(async () => {
  library = await packLibrary({ beside: ['esbuild'] })
  project = join(library.folder, 'acme')
  base = await makeMachineBase(join(library.folder, 'base'))
  registry = await startMemoryRegistry()
  await run(library.folder, 'new', 'project', 'acme', '--library', await packageVersion())
  await library.install(project)
})
afterAll(async () => {
  await registry?.close()
  await library?.remove()
})

const run = (cwd: string, ...args: readonly string[]) =>
  outputOf(process.execPath, [join(library.library, 'cli/trellis.mjs'), ...args], { cwd })
const trellis = (...args: readonly string[]) => run(project, ...args)
const objectsOf = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
const named = (objects: readonly KubernetesObject[], kind: string): readonly string[] =>
  objects.filter(object => object.kind === kind).map(({ metadata }) => metadata.name)
const images = () => readFile(join(project, 'dist/images.json'), 'utf8').then(text => JSON.parse(text))

test('a project has what a repository needs: function, test, example, event, CI workflow and Makefile', async () => {
  const files = (await readdir(project, { recursive: true })).filter(name => !name.includes('node_modules'))
  expect(files).toEqual(
    expect.arrayContaining([
      ...['package.json', 'tsconfig.json', 'README.md', 'Makefile', '.nvmrc', '.gitignore'],
      '.github/workflows/ci.yaml',
      ...['function.ts', 'actuator.ts', 'actuator.test.ts', 'example.yaml', 'event.json'].map(
        name => `functions/acme/dnsrecord/${name}`,
      ),
    ]),
  )
  const { jobs } = parse(await readFile(join(project, '.github/workflows/ci.yaml'), 'utf8'))
  const makefile = await readFile(join(project, 'Makefile'), 'utf8')
  const targets = jobs.test.steps.flatMap(({ run = '' }) =>
    [...run.matchAll(/make ([a-z ]+)/g)].flatMap(([, names = '']) => names.trim().split(' ')),
  )
  expect(targets.length).toBeGreaterThan(3)
  for (const target of targets) expect(makefile).toMatch(new RegExp(`^${target}:`, 'm'))
})

describe('the image of a project', () => {
  beforeAll(async () => {
    await trellis(
      ...['image', '--base', base, '--registry', `${registry.host}/acme`, '--push', '--plain-http'],
    )
  })

  test('is one of each program, pushed and listed by digest', async () => {
    const references = (await images()) as Readonly<Record<string, string>>
    expect(Object.keys(references)).toEqual(['acme-dnsrecord', 'acme-compact', 'bridge', 'seed'])
    for (const [program, reference] of Object.entries(references)) {
      const [, digest = ''] = reference.split('@')
      const bytes = registry.stored.get(`/v2/acme/${program}/manifests/0.1.0`)
      expect(reference).toBe(`${registry.host}/acme/${program}@${digest}`)
      expect(JSON.parse(String(bytes)).annotations).toMatchObject({
        'org.opencontainers.image.title': program,
        'org.opencontainers.image.version': '0.1.0',
      })
    }
  })

  test('starts from its snapshot, and reconciles the example of the function', async () => {
    const root = join(library.folder, 'root')
    const layout = join(project, 'dist/images')
    await unpackImage({ layout, tag: 'acme-dnsrecord', into: root, above: 'base' })
    const { config } = await openLayout(layout).readConfiguration('acme-dnsrecord')
    expect(config?.Entrypoint).toContain('/trellis/main.blob')
    const args = (config?.Entrypoint ?? []).slice(1).map(arg => arg.replace('/trellis/', `${root}/trellis/`))
    expect(await reconcileWith(args, join(project, 'functions/acme/dnsrecord'))).toEqual({
      status: 204,
      state: 'Succeeded',
    })
  })

  test('lists its packages with their licences, among them Trellis', async () => {
    const folder = join(project, 'dist/bundles/acme-dnsrecord')
    const { components } = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'))
    expect(components.map(({ purl }: { readonly purl: string }) => purl)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^pkg:npm\/%40trellis-gardener\/trellis@/)]),
    )
    expect(await readFile(join(folder, 'THIRD-PARTY-NOTICES.md'), 'utf8')).toMatch(
      /^## @trellis-gardener\/trellis .* \(Apache-2\.0\)$/m,
    )
  })

  test('is what the manifests of a seed run, with the rights of the definition', async () => {
    const text = await trellis(
      ...['install', '--render', 'manifests', '--function', 'acme/dnsrecord', '--seed', 'my-seed'],
      ...['--images', 'dist/images.json'],
    )
    const objects = objectsOf(text)
    expect(named(objects, 'Service')).toContain('acme-dnsrecord')
    expect(named(objects, 'Trigger')).toEqual(['acme-dnsrecord'])
    expect(named(objects, 'Deployment')).toEqual(['bridge'])
    for (const image of Object.values((await images()) as Record<string, string>).slice(0, 1))
      expect(text).toContain(image)
    const role = objects.find(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.endsWith('acme-dnsrecord'),
    )
    expect(JSON.stringify(role)).toContain('"configmaps"')
  })

  test.each([
    ['registration', ['ControllerDeployment', 'ControllerRegistration'], []],
    ['operator-extension', ['Extension'], ['--chart', 'registry.example.com/charts/acme:0.1.0']],
  ])('is registered with Gardener: %s', async (render, kinds, more) => {
    const objects = objectsOf(
      await trellis(
        ...['install', '--render', render, '--provider', 'acme', '--images', 'dist/images.json', ...more],
      ),
    )
    expect(objects.map(({ kind }) => kind)).toEqual(kinds)
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(kinds.map(() => 'trellis-acme'))
    const spec = JSON.stringify(objects.at(-1)?.spec)
    expect(spec).toContain('{"kind":"DNSRecord","type":"acme"}')
  })

  test('has a chart, which is pushed as helm push does', async () => {
    await trellis('chart', '--registry', `${registry.host}/charts`, '--push', '--plain-http')
    expect(await readdir(join(project, 'dist/charts'))).toEqual(['acme-0.1.0.tgz'])
    const manifest = JSON.parse(String(registry.stored.get('/v2/charts/acme/manifests/0.1.0')))
    expect(manifest.config.mediaType).toBe('application/vnd.cncf.helm.config.v1+json')
    const archive = registry.stored.get(`/v2/charts/acme/blobs/${manifest.layers[0].digest}`)
    expect(archive).toEqual(await readFile(join(project, 'dist/charts/acme-0.1.0.tgz')))
  })
})

describe('a project with more', () => {
  const webhooks = 'functions/acme/webhooks'
  beforeAll(async () => {
    await trellis('new', 'acme/extension', '--yes')
    await trellis('new', 'other/dnsrecord', '--yes')
    // The webhook of a sample, with its test.
    const sample = join(library.library, 'examples/authors/infrastructure')
    await cp(join(sample, webhooks), join(project, webhooks), { recursive: true })
  })

  test('has a program of each function and provider, and one of its webhooks', async () => {
    const output = await trellis('bundle', '--out', join(library.folder, 'more'))
    expect(output.split('\n').map(line => line.split(' ')[0])).toEqual([
      ...['acme-dnsrecord', 'acme-extension', 'other-dnsrecord', 'acme-compact', 'other-compact'],
      ...['bridge', 'webhook', 'seed'],
    ])
    const program = await readFile(join(library.folder, 'more/webhook/main.cjs'), 'utf8')
    expect(program).toContain('"provider-acme"')
    expect(program).toContain('"--cloud-provider"')
  })

  test('has valid types, webhooks and health checks included', async () => {
    const tsc = join(project, 'node_modules/typescript/bin/tsc')
    expect(await outputOf(process.execPath, [tsc], { cwd: project })).toBe('')
  })

  test('has manifests and a chart of all of them, as files', async () => {
    await trellis('manifests')
    const folder = join(project, 'knative')
    expect(await readdir(join(folder, 'base/functions'))).toEqual([
      ...['acme-dnsrecord.yaml', 'acme-extension.yaml', 'other-dnsrecord.yaml'],
    ])
    const values = parse(await readFile(join(folder, 'chart/acme/values.yaml'), 'utf8'))
    expect(values.webhook.components).toEqual({ 'provider-acme': { enabled: false } })
    const { components } = parse(await readFile(join(folder, 'chart/acme/definitions.yaml'), 'utf8'))
    expect(components).toMatchObject({
      'provider-acme': { inShoots: false, configurations: ['mutatingwebhookconfigurations'] },
    })
    const bridge = await readFile(join(folder, 'base/bridge.yaml'), 'utf8')
    expect(bridge).toContain('"conditions":["SystemComponentsHealthy"]')
    const manifest = await readFile(join(folder, 'base/webhook.yaml'), 'utf8')
    expect(named(objectsOf(manifest), 'Service')).toEqual(['gardener-extension-provider-acme'])
    expect(named(objectsOf(manifest), 'Deployment')).toEqual(['webhook'])
    const role = objectsOf(manifest).find(({ kind }) => kind === 'ClusterRole')
    expect(JSON.stringify(role)).toContain(
      '"mutatingwebhookconfigurations"],"resourceNames":["gardener-extension-provider-acme"]',
    )
  })

  test('installs one provider with its webhooks, and not the other one', async () => {
    const objects = objectsOf(
      await trellis(
        ...['install', '--render', 'manifests', '--provider', 'acme', '--seed', 'my-seed'],
        ...['--registry', 'registry.example.com/acme'],
      ),
    )
    expect(named(objects, 'Trigger').toSorted()).toEqual(['acme-dnsrecord', 'acme-extension'])
    expect(named(objects, 'Deployment').toSorted()).toEqual(['bridge', 'webhook'])
    expect(named(objects, 'Service')).toContain('gardener-extension-provider-acme')
  })

  test('replays a saved review with its own webhook', async () => {
    const review = fileURLToPath(new URL('../reviews/kube-controller-manager.json', import.meta.url))
    const output = await trellis('replay', review)
    expect(output).toMatch(
      /^webhook {5}controlplane\.acme\.extensions\.gardener\.cloud \(acme\/controlplane\)$/m,
    )
    expect(output).toMatch(/^\+ +- --cloud-provider=external$/m)
  })
})

describe('one line names the cause and the fix of', () => {
  const problemOf = async (...args: readonly string[]): Promise<string> => {
    const error: Error = await trellis(...args).then(
      output => new Error(`it worked: ${output}`),
      failure => failure,
    )
    const lines = error.message
      .split('\n')
      .filter(line => line.startsWith('trellis: ') || /^\s+at /.test(line))
    expect(lines).toHaveLength(1)
    return lines[0] ?? ''
  }
  const brokenBy = async (files: Readonly<Record<string, string>>, hold: () => Promise<void>) => {
    const before = new Map<string, string | undefined>()
    for (const [name, text] of Object.entries(files)) {
      const file = join(project, name)
      before.set(file, await readFile(file, 'utf8').catch(() => undefined))
      await mkdir(join(file, '..'), { recursive: true })
      await writeFile(file, text)
    }
    try {
      await hold()
    } finally {
      for (const [file, text] of before)
        await (text === undefined ? rm(file, { force: true }) : writeFile(file, text))
    }
  }
  const file = 'functions/acme/dnsrecord/function.ts'
  const source = () => readFile(join(project, file), 'utf8')

  test('a definition that is wrong', async () => {
    const wrong = (await source()).replace("kind: 'DNSRecord'", "kind: 'DnsRecord'")
    await brokenBy({ [file]: wrong }, async () => {
      for (const args of [['bundle'], ['chart'], ['install', '--render', 'chart']])
        expect(await problemOf(...args)).toMatch(/function\.ts:\d+: .*DnsRecord.*DNSRecord/)
    })
  })

  test('a bundle with a native module', async () => {
    const native = 'fast-hash'
    const files = {
      'node_modules/fast-hash/package.json': '{"name":"fast-hash","version":"1.0.0","main":"index.js"}',
      'node_modules/fast-hash/index.js': "module.exports = require('./hash.node')\n",
      'node_modules/fast-hash/hash.node': '',
    }
    await brokenBy(
      { ...files, [file]: `${await source()}\nexport const hash = () => import('${native}')\n` },
      async () => {
        expect(await problemOf('bundle', '--only', 'acme-dnsrecord')).toMatch(
          /node_modules\/fast-hash\/index\.js:1: imports .*hash\.node: .* cannot contain a native module\. Replace/,
        )
      },
    )
  })

  test('a project without esbuild', async () => {
    const esbuild = join(library.library, '../../esbuild')
    await rename(esbuild, `${esbuild}-elsewhere`)
    try {
      expect(await problemOf('bundle')).toMatch(
        /esbuild is not installed\. Run: npm install --save-dev --save-exact esbuild/,
      )
    } finally {
      await rename(`${esbuild}-elsewhere`, esbuild)
    }
  })

  test('a project with another copy of the library', async () => {
    const other = join(library.folder, 'other/node_modules/@trellis-gardener/trellis')
    await cp(library.library, other, { recursive: true })
    await symlink(join(library.library, '../..'), join(other, 'node_modules'))
    await expect(
      outputOf(process.execPath, [join(other, 'cli/trellis.mjs'), 'bundle'], { cwd: project }),
    ).rejects.toThrow(
      /trellis: this command belongs to .*, but .* installs Trellis .*\. Run "npx --no trellis" in that folder/,
    )
  })

  test('a registry that does not answer', async () => {
    const gone = await startMemoryRegistry()
    await gone.close()
    expect(
      await problemOf(
        ...['image', '--only', 'bridge', '--base', base, '--registry', `${gone.host}/acme`, '--push'],
        ...['--plain-http', '--out', join(library.folder, 'unpushed')],
      ),
    ).toMatch(/bridge:0\.1\.0: it cannot be reached\. Check --registry/)
  })

  test('a base that does not exist', async () => {
    expect(
      await problemOf(
        ...['image', '--only', 'bridge', '--base', `${registry.host}/node@sha256:${'0'.repeat(64)}`],
        ...['--plain-http', '--out', join(library.folder, 'baseless')],
      ),
    ).toMatch(/cannot read the base image: .*it does not exist\. .*Choose another one with --base/)
  })

  test.each([
    [['install', '--render', 'chart', '--function', 'acme/dnsrecrd'], 'Did you mean acme/dnsrecord?'],
    [['bundle', '--only', 'acme-dnsrecrd'], 'Did you mean acme-dnsrecord?'],
    [['chart', '--push'], '--push needs --registry'],
    [['bundle', '--project', 'functions'], 'Create one with: trellis new project NAME'],
  ])('%j', async (args, fix) => {
    expect(await problemOf(...args)).toContain(fix)
  })
})
