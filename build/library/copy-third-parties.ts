import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { bundledPackages, noticesOf } from '../images/images.ts'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

const dependenciesOf = async (folder: string): Promise<readonly string[]> => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  return Object.keys(manifest.dependencies ?? {})
}

/** Packages that only `trellis bundle` and `trellis image` need. esbuild is a program, which a project installs. */
const ofBundles = ['@cyclonedx/cyclonedx-library']

/** Plug-ins of these packages for what Trellis never uses: validation and XML. */
const optional = [
  ...['ajv', 'ajv-formats', 'ajv-formats-draft2019', 'libxmljs2', 'xmlbuilder2'],
  ...['packageurl-js', 'spdx-expression-parse'],
]

/**
 * Copies the dependencies that only the sandbox and the making of images need into `third-parties/` of `out`, and makes
 * the modules in `out` import the copies. Users of the package's functions therefore do not install them. Returns the
 * notices that their licenses require.
 *
 * @param root the folder of the two manifests
 */
export const copyThirdParties = async (out: string, root: string): Promise<string> => {
  const own = await dependenciesOf(root)
  const ofSandbox = (await dependenciesOf(join(root, 'sandbox'))).filter(name => !own.includes(name))
  const copied = [...ofSandbox, ...ofBundles]
  const imported = new RegExp(`import \\{([^}]*)\\} from '((?:${copied.join('|')})(?:/[^']*)?)'`, 'g')
  const copyOf = (specifier: string): string => `third-parties/${specifier.replace('@', '')}.js`

  const names = new Map<string, Set<string>>()
  for await (const module of glob('**/*.js', { cwd: out })) {
    const source = await readFile(join(out, module), 'utf8')
    const rewritten = source.replaceAll(imported, (_, list: string, specifier: string) => {
      const known = names.get(specifier) ?? new Set()
      for (const name of list.split(',')) known.add(name.trim().split(' as ')[0] ?? '')
      names.set(specifier, known)
      const path = relative(dirname(module), copyOf(specifier))
      return `import {${list}} from '${path.startsWith('.') ? path : `./${path}`}'`
    })
    if (rewritten !== source) await writeFile(join(out, module), rewritten)
  }

  // CommonJS exports its names only one by one.
  for (const [specifier, wanted] of names) {
    const entry = join(out, copyOf(specifier))
    await mkdir(dirname(entry), { recursive: true })
    await writeFile(entry, `export { ${[...wanted].join(', ')} } from '${specifier}'\n`)
  }
  const { metafile } = await build({
    entryPoints: [...names.keys()].map(specifier => join(out, copyOf(specifier))),
    outdir: out,
    outbase: out,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: 'third-parties/[hash]',
    metafile: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    // CommonJS packages load Node's own modules with require.
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    mainFields: ['module', 'main'],
    absWorkingDir: root,
    external: [...own, ...optional],
    logLevel: 'warning',
  })
  return noticesOf(
    '`third-parties/` contains code of these packages.',
    bundledPackages([metafile]).map(folder => join(root, folder)),
  )
}
