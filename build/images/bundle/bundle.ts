import { basename, extname } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { ownModule } from '../../project/package-root.ts'
import { BundleError, bundleFailure, missingEsbuild, nativeProblem } from './bundle-error.ts'
import { eventsOverHttp } from './events-over-http.ts'
import { lateBuiltins } from './late-builtins.ts'
import { plainSchemaKeys } from './plain-schema-keys.ts'
import { withoutDomains } from './without-domains.ts'

/** The entry module of a process, or a module that another bundle imports. */
export type BundleSource = Pick<BuildOptions, 'entryPoints' | 'stdin'>

export interface BundleOptions {
  readonly source: BundleSource
  readonly out: string
  /** The folder of the project: the paths of the result are relative to it. Default: the working directory. */
  readonly root?: string
  /** Applied before those of every program. */
  readonly plugins?: readonly Plugin[]
}

/** Modules of Trellis in files of their own beside a program, because no start in a cluster needs them, by file. */
export const besideFiles = {
  /** Loaded by a process with a kubeconfig. */
  'kubeconfig.cjs': ownModule('shared/kubernetes/access/read-kubeconfig'),
  /** Loaded by a process with `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  'otlp.cjs': ownModule('shared/runtime/steps/otlp-spans'),
} as const

type BesideFile = keyof typeof besideFiles
const besideNames = Object.keys(besideFiles) as BesideFile[]

/** Returns the files beside a bundle that it loads. */
export const besideOf = ({ outputs }: Metafile): readonly BesideFile[] =>
  besideNames.filter(file => Object.values(outputs).some(({ inputs }) => `${beside}:./${file}` in inputs))

const beside = 'beside'

/**
 * Bundles a program into one minified CommonJS file. The options give the fastest start
 * (docs/architecture.md#start-of-a-function). Code behind `import()` that only some steps need stays inside the file,
 * except `besideFiles`. Rejects with a `BundleError` if the sources cannot be bundled.
 */
export const bundle = async ({ source, out, root, plugins = [] }: BundleOptions): Promise<Metafile> => {
  const { build } = await import('esbuild').catch(missingEsbuild)
  const result = build({
    ...source,
    outfile: out,
    ...(root !== undefined && { absWorkingDir: root }),
    bundle: true,
    minify: true,
    keepNames: false,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'silent',
    // import('node:http') would start Node's loader of ES modules and read all its exports, including fetch: 20 ms.
    supported: { 'dynamic-import': false },
    metafile: true,
    // The bundler has already found and validated the definition.
    define: { definitionsAreChecked: 'true' },
    plugins: [...plugins, plainSchemaKeys, eventsOverHttp, withoutDomains, lateBuiltins, apart],
  })
  const { metafile } = await result.catch(error => Promise.reject(bundleFailure(error)))
  const problem = nativeProblem(metafile)
  if (problem !== undefined) throw new BundleError(problem)
  return metafile
}

const apart: Plugin = {
  name: 'apart',
  setup: ({ onResolve, onLoad }) => {
    for (const file of besideNames)
      onResolve(
        { filter: new RegExp(`/${basename(besideFiles[file], extname(besideFiles[file]))}\\.[tj]s$`) },
        ({ kind }) => (kind === 'dynamic-import' ? { path: `./${file}`, namespace: beside } : undefined),
      )
    // In a program with a startup snapshot, require() only knows Node's own modules, and the file name is that of the
    // build. Without a snapshot, node may have been started with another program that loaded this one.
    onLoad({ filter: /./, namespace: beside }, ({ path }) => ({
      contents: `
        const isSnapshot = __filename.startsWith('/proc/self/cwd/')
        const program = isSnapshot ? require('node:fs').realpathSync(process.argv[1]) : __filename
        module.exports = require('node:module').createRequire(program)(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  },
}
