import { defineConfig } from 'vitest/config'

/** The suites that need external programs: see `test/real`. */
export default defineConfig({
  test: {
    include: ['test/real/**/*.real.ts'],
    globalSetup: ['test/beside/setup.ts', 'test/real/setup.ts'],
    environment: 'node',
    // Each file starts a kube-apiserver or moto. Two at a time fit into any machine.
    maxWorkers: 2,
    expect: { poll: { timeout: 180_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
