import { stat } from 'node:fs/promises'
import { findFunctions } from '../../functions/find-functions.ts'
import { missingBundle } from './bundle.ts'
import type { Benchmark, Row } from './figure.ts'

/** The sizes of the bundles in the images. */
export const bundleSizes: Benchmark = {
  name: 'sizes',
  run: async () => {
    const files = [
      ...(await findFunctions()).map(({ name }) => ({ name, path: `dist/bundles/${name}/main.cjs` })),
      { name: 'bridge', path: 'dist/bundles/bridge/main.cjs' },
      { name: 'kubeconfig (beside them)', path: 'dist/bundles/bridge/kubeconfig.cjs' },
    ]
    return Promise.all(
      files.map(async ({ name, path }): Promise<Row> => {
        const missing = await missingBundle([path])
        return missing === undefined
          ? { name: `bundle ${name}`, value: (await stat(path)).size / 1024, unit: 'KiB' }
          : { name: `bundle ${name}`, missing }
      }),
    )
  },
}
