import { dirname, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { lateBuiltins } from './late-builtins.ts'
import { lateSchemas } from './late-schemas.ts'
import { plainSchemaKeys } from './plain-schema-keys.ts'

/** The module that a process starts with, or that another bundle imports. */
export type BundleSource = Pick<BuildOptions, 'entryPoints' | 'stdin'>

export interface BundleOptions {
  readonly source: BundleSource
  readonly out: string
  /** Where what reads kubeconfigs is put, or will be: `import()`ed from there by a process that is given one. */
  readonly kubeconfigReader: string
}

/**
 * Bundles a program into one minified CommonJS file. The options are the ones that start fastest
 * (docs/architecture.md#start-of-a-function); `import()` of what only some steps need stays inside the file, and what
 * reads kubeconfigs outside of it: no start in a cluster needs it.
 */
export const bundle = async ({ source, out, kubeconfigReader }: BundleOptions): Promise<Metafile> => {
  const { metafile } = await build({
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
    // import('node:http') would start Node's loader of ES modules and read every name of it, fetch and all: 20 ms.
    supported: { 'dynamic-import': false },
    metafile: true,
    // Who bundles a function has found it, and to be found it was defined.
    define: { definitionsAreChecked: 'true' },
    plugins: [
      plainSchemaKeys,
      lateBuiltins,
      lateSchemas,
      apart(`./${relative(dirname(out), kubeconfigReader)}`),
    ],
  })
  return metafile
}

const apart = (kubeconfigReader: string): Plugin => ({
  name: 'kubeconfig-reader-apart',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/read-kubeconfig\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: kubeconfigReader, namespace: 'beside' } : undefined,
    )
    // The require() of a program that begins with a startup snapshot knows Node's own modules alone, and the name of its
    // file is that of the making; without one, what node was started with may be another program, that loaded this one.
    onLoad({ filter: /./, namespace: 'beside' }, ({ path }) => ({
      contents: `
        const isSnapshot = __filename.startsWith('/proc/self/cwd/')
        const program = isSnapshot ? require('node:fs').realpathSync(process.argv[1]) : __filename
        module.exports = require('node:module').createRequire(program)(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  },
})
