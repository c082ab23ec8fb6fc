import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    environment: 'node',
    // vitest takes one worker less than there are cores, which on two leaves half of the machine idle.
    maxWorkers: availableParallelism(),
    globalSetup: ['test/beside/setup.ts'],
    setupFiles: ['sandbox/aws/testing/not-built-fails.ts'],
    // A test that waits this long on real time hangs.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
})
