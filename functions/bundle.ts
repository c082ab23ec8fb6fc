import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { plainSchemaKeys } from './plain-schema-keys.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The program of a function's process: `functions/main.ts` for a function that is known when it is bundled. */
export const programOf = (file: string): BundleOptions['source'] => ({
  stdin: {
    contents: `
      import { definition } from ${JSON.stringify(file)}
      import { bootFunction } from './shared/runtime/boot-function.ts'
      bootFunction(definition)`,
    resolveDir: root,
  },
})

/** The program of a process that serves these functions, under a name of its own: `aws-compact`. */
export const compactProgram = (name: string, files: readonly string[]): BundleOptions['source'] => ({
  stdin: {
    contents: [
      ...files.map((file, index) => `import { definition as function${index} } from ${JSON.stringify(file)}`),
      `import { bootFunctions } from './shared/runtime/boot-functions.ts'`,
      `bootFunctions(${JSON.stringify(name)}, [${files.map((_, index) => `function${index}`)}])`,
    ].join('\n'),
    resolveDir: root,
  },
})

/** The program of the process that serves these admission functions: `webhook/main.ts` for those that are known when it is bundled. */
export const webhookProgram = (files: readonly string[]): BundleOptions['source'] => ({
  stdin: {
    contents: [
      ...files.map((file, index) => `import { definition as webhook${index} } from ${JSON.stringify(file)}`),
      `import { bootWebhooks } from './webhook/process/boot-webhooks.ts'`,
      `bootWebhooks([${files.map((_, index) => `webhook${index}`)}])`,
    ].join('\n'),
    resolveDir: root,
  },
})

export interface BundleOptions {
  /** The module that a process starts with, or that another bundle imports. */
  readonly source: Pick<BuildOptions, 'entryPoints' | 'stdin'>
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
    plugins: [plainSchemaKeys, apart(`./${relative(dirname(out), kubeconfigReader)}`)],
  })
  return metafile
}

const apart = (kubeconfigReader: string): Plugin => ({
  name: 'kubeconfig-reader-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/read-kubeconfig\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: kubeconfigReader, external: true } : undefined,
    )
  },
})
