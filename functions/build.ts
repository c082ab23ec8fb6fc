import { mkdir, rm, stat } from 'node:fs/promises'
import { build } from 'esbuild'
import { functions } from './registry.ts'

/**
 * Bundles each function, and the bridge, into one minified CommonJS file under `dist/`. The options are the ones that
 * start fastest (docs/architecture.md#start-of-a-function); `import()` of what only some steps need stays inside the
 * file.
 */
const bundles = [
  ...functions.map(({ name, folder }) => ({
    name,
    entry: `${folder}/main.ts`,
    out: `dist/functions/${name}.cjs`,
  })),
  { name: 'bridge', entry: 'bridge/main.ts', out: 'dist/bridge.cjs' },
]

await rm('dist', { recursive: true, force: true })
await mkdir('dist/functions', { recursive: true })
for (const { name, entry, out } of bundles) {
  await build({
    entryPoints: [entry],
    outfile: out,
    bundle: true,
    minify: true,
    keepNames: false,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
  })
  const { size } = await stat(out)
  console.log(`${name.padEnd(16)} ${out}  ${Math.round(size / 1024)} KiB`)
}
