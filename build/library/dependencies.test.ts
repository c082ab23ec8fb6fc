import { glob, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'))

/**
 * Files that no installed package runs: tests and their support, benchmarks, pages, builds, configurations, and the
 * sources of the console's page, which the package contains as one script.
 */
const isForDevelopment = (file: string): boolean =>
  /\.(?:test|real|config)\.ts$|(?:^|\/)testing\/|^(?:test|docs)\/|^build\/(?!images\/|library\/(?:trellis|infra|resources|worker|control-plane|webhooks|health)\.ts)|^cli\/console\/page\//.test(
    file,
  )

/** The package contains a copy: copy-third-parties.ts. */
const copied = { '@cyclonedx/cyclonedx-library': true }

const imports =
  /^(?:import|export)(?: type)? (?:[^'"`;]*? from )?'([@\w][^'\s]*)'|\bimport\('([@\w][^'\s]*)'\)/gm

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Returns the packages that the selected files import, each with one of these files. */
const importedBy = async (files: (file: string) => boolean): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for await (const file of glob('**/*.{ts,mts,mjs}', {
    cwd: root,
    // Projects of authors have manifests of their own.
    exclude: name => /(?:^|\/)(?:node_modules|dist|\.cache)$|^examples\/authors$/.test(name),
  })) {
    if (!files(file)) continue
    const text = await readFile(`${root}${file}`, 'utf8')
    for (const [, name = '', lazy = ''] of text.matchAll(imports)) {
      const specifier = name || lazy
      if (!isBuiltin(specifier)) found.set(packageOf(specifier), file)
    }
  }
  return found
}

const inSandbox = (file: string): boolean => file.startsWith('sandbox/')

describe.each([
  { folder: '.', isOurs: (file: string) => !inSandbox(file) },
  { folder: 'sandbox', isOurs: inSandbox },
])('the manifest of $folder', ({ folder, isOurs }) => {
  test('has exactly the packages of the running code as dependencies', async () => {
    const { dependencies, peerDependencies = {} } = await manifestOf(folder)
    const imported = await importedBy(file => isOurs(file) && !isForDevelopment(file))
    const known = { ...dependencies, ...peerDependencies, ...copied }
    expect([...imported].filter(([name]) => !Object.hasOwn(known, name))).toEqual([])
    expect(Object.keys(dependencies).filter(name => !imported.has(name))).toEqual([])
  })

  test('has the additional packages of tests', async () => {
    const { dependencies, devDependencies } = await manifestOf(folder)
    const imported = await importedBy(file => isOurs(file) && isForDevelopment(file))
    const known = { ...dependencies, ...devDependencies }
    expect([...imported].filter(([name]) => !Object.hasOwn(known, name))).toEqual([])
  })
})

test('the manifests require one version of a package', async () => {
  const all = [await manifestOf('.'), await manifestOf('sandbox')].flatMap(manifest => [
    ...Object.entries(manifest.dependencies),
    ...Object.entries(manifest.devDependencies),
  ])
  const versions = Map.groupBy(all, ([name]) => name)
  const differing = [...versions].filter(([, found]) => new Set(found.map(([, version]) => version)).size > 1)
  expect(differing).toEqual([])
})
