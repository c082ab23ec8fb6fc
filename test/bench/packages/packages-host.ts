import type { Plugin } from 'esbuild'
import { missingBundle } from '../bundle.ts'
import type { Benchmark } from '../figure.ts'
import { measuredFunction } from './measured-function.ts'
import { variantRows } from './variant-rows.ts'
import { measureVariants, type Variant } from './variant-usage.ts'
import { writeVariant } from './write-variant.ts'

/** Measures the functions framework as a multiple of Node's own server in its place (decision 0028). */
export const packagesHost: Benchmark = {
  name: 'packages-host',
  run: async () => {
    const missing = await missingBundle([measuredFunction.kind.bundle])
    if (missing !== undefined) return [{ name: "the functions framework in place of Node's server", missing }]
    const plain: Variant = {
      name: "Node's server",
      bundle: await writeVariant(measuredFunction.service, 'plain-server', [plainServer]),
    }
    const framework: Variant = { name: 'the functions framework', bundle: measuredFunction.kind.bundle }
    const usage = await measureVariants([plain, framework], { ...measuredFunction, starts: 15, bursts: 3 })
    const [before, after] = [usage.get(plain.name), usage.get(framework.name)]
    return before === undefined || after === undefined
      ? []
      : variantRows(`${measuredFunction.service} with ${framework.name}`, before, after)
  },
}

/** Node's server in place of the framework's. */
const plainServer: Plugin = {
  name: 'plain-server',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@google-cloud\/functions-framework/ }, () => ({
      path: 'server',
      namespace: 'plain',
    }))
    onLoad({ filter: /./, namespace: 'plain' }, () => ({
      contents: `import { createServer } from 'node:http'
        let answer
        export const http = (_, given) => { answer = given }
        export const getTestServer = () => createServer((request, response) => answer(request, response))`,
      resolveDir: import.meta.dirname,
    }))
  },
}
