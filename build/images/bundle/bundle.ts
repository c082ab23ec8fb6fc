import { dirname, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { lateBuiltins } from './late-builtins.ts'
import { noBigIntegers } from './no-big-integers.ts'
import { plainSchemaKeys } from './plain-schema-keys.ts'

/** The entry module of a process, or a module that another bundle imports. */
export type BundleSource = Pick<BuildOptions, 'entryPoints' | 'stdin'>

export interface BundleOptions {
  readonly source: BundleSource
  readonly out: string
  /** The path of the kubeconfig reader. A process with a kubeconfig imports it from there. */
  readonly kubeconfigReader: string
  /** Applied before those of every program. */
  readonly plugins?: readonly Plugin[]
}

/**
 * Bundles a program into one minified CommonJS file. The options give the fastest start
 * (docs/architecture.md#start-of-a-function). Code behind `import()` that only some steps need stays inside the file.
 * The kubeconfig reader stays outside, because no start in a cluster needs it.
 */
export const bundle = async ({
  source,
  out,
  kubeconfigReader,
  plugins = [],
}: BundleOptions): Promise<Metafile> => {
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
    // import('node:http') would start Node's loader of ES modules and read all its exports, including fetch: 20 ms.
    supported: { 'dynamic-import': false },
    metafile: true,
    // The bundler has already found and validated the definition.
    define: { definitionsAreChecked: 'true' },
    plugins: [
      ...plugins,
      plainSchemaKeys,
      noBigIntegers,
      lateBuiltins,
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
    // In a program with a startup snapshot, require() only knows Node's own modules, and the file name is that of the
    // build. Without a snapshot, node may have been started with another program that loaded this one.
    onLoad({ filter: /./, namespace: 'beside' }, ({ path }) => ({
      contents: `
        const isSnapshot = __filename.startsWith('/proc/self/cwd/')
        const program = isSnapshot ? require('node:fs').realpathSync(process.argv[1]) : __filename
        module.exports = require('node:module').createRequire(program)(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  },
})
