import { missingBundle } from '../bundle.ts'
import type { Benchmark } from '../figure.ts'
import { measuredFunction } from './measured-function.ts'
import { variantRows } from './variant-rows.ts'
import { measureVariants, type Variant } from './variant-usage.ts'
import { replaceFile, writeVariant } from './write-variant.ts'

/** Measures the functions framework as a multiple of Node's own server in its place (decision 0028). */
export const packagesHost: Benchmark = {
  name: 'packages-host',
  run: async () => {
    const missing = await missingBundle([measuredFunction.kind.bundle])
    if (missing !== undefined) return [{ name: "the functions framework in place of Node's server", missing }]
    const plain: Variant = {
      name: "Node's server",
      bundle: await writeVariant(measuredFunction.service, 'plain-server', [
        replaceFile(
          'shared/runtime/framework-server.ts',
          `export { createServer as frameworkServer } from 'node:http'`,
        ),
      ]),
    }
    const framework: Variant = { name: 'the functions framework', bundle: measuredFunction.kind.bundle }
    const usage = await measureVariants([plain, framework], { ...measuredFunction, starts: 15, bursts: 3 })
    const [before, after] = [usage.get(plain.name), usage.get(framework.name)]
    return before === undefined || after === undefined
      ? []
      : variantRows(`${measuredFunction.service} with ${framework.name}`, before, after)
  },
}
