import { stat } from 'node:fs/promises'
import { findFunctions } from '../functions/find-functions.ts'
import type { Benchmark, Figure } from './figure.ts'

/** The bundles that go into the images. */
export const bundleSizes: Benchmark = {
  name: 'sizes',
  run: async () => {
    const files = [
      ...(await findFunctions()).map(({ name }) => ({ name, path: `dist/functions/${name}.cjs` })),
      { name: 'bridge', path: 'dist/bridge.cjs' },
    ]
    return Promise.all(
      files.map(
        async ({ name, path }): Promise<Figure> => ({
          name: `bundle ${name}`,
          value: (await stat(path)).size / 1024,
          unit: 'KiB',
        }),
      ),
    )
  },
}
