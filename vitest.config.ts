import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    environment: 'node',
    globalSetup: ['test/beside/setup.ts'],
    setupFiles: ['sandbox/aws/testing/not-built-fails.ts'],
    // A test that waits this long on real time hangs.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
})
