import { mkdir, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { findFunctions } from './find-functions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The program of a function's process: `functions/main.ts` for a function that is known when it is bundled. */
const programOf = (file: string): Pick<BuildOptions, 'stdin'> => ({
  stdin: {
    contents: `
      import { definition } from ${JSON.stringify(file)}
      import { bootFunction } from './shared/runtime/boot-function.ts'
      bootFunction(definition)`,
    resolveDir: root,
  },
})

/**
 * Bundles each function, and the bridge, into one minified CommonJS file under `dist/`. The options are the ones that
 * start fastest (docs/architecture.md#start-of-a-function); `import()` of what only some steps need stays inside the
 * file.
 */
const bundles = [
  ...(await findFunctions()).map(({ name, file }) => ({
    name,
    source: programOf(file),
    out: `dist/functions/${name}.cjs`,
  })),
  { name: 'bridge', source: { entryPoints: ['bridge/main.ts'] }, out: 'dist/bridge.cjs' },
]

await rm('dist', { recursive: true, force: true })
await mkdir('dist/functions', { recursive: true })
for (const { name, source, out } of bundles) {
  await build({
    ...source,
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
