import { defineConfig } from 'vitest/config'
import { realSuites, suitesOfParts } from './test/real/parts.ts'

/** `make real ONLY=helm,images` runs parts of the suites. */
const only = process.env.ONLY
const suites = only ? suitesOfParts(realSuites(), only).map(({ path }) => path) : ['**/*.real.ts']

/** The suites that need external programs: see `test/real`. */
export default defineConfig({
  test: {
    include: suites.map(path => `test/real/${path}`),
    globalSetup: ['test/beside/setup.ts', 'test/real/setup.ts'],
    environment: 'node',
    // Each file starts a kube-apiserver or moto. Two at a time fit into any machine.
    maxWorkers: 2,
    expect: { poll: { timeout: 180_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
