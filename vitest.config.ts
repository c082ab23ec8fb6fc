import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that change or measure their process, such as simulations. Each runs in its own process. */
const alone = [
  'shared/kubernetes/reflector/held-objects.test.ts',
  'test/regular-expressions.test.ts',
  'sandbox/simulation/**/*.test.ts',
  'test/simulation/**/*.test.ts',
  'test/upgrades/**/*.test.ts',
]
const deep = '**/*.deep.test.ts'
/** Projects of authors, whose tests run with Node and the packed library (test/authors). */
const authors = 'examples/authors/**'

export default defineConfig({
  test: {
    globalSetup: ['test/beside/setup.ts'],
    // Suites that wait for processes and timers leave their core idle. With one worker per core, two cores would be
    // idle for a third of the run.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        // A worker evaluates each module once for all its files: the AWS SDK alone takes half a second.
        test: {
          name: 'shared',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**', 'dist/**', deep, authors, ...alone],
        },
      },
      { extends: true, test: { name: 'alone', isolate: true, include: alone, exclude: [deep] } },
    ],
    environment: 'node',
    setupFiles: ['sandbox/providers/aws/simulator/testing/not-built-fails.ts', 'test/cases/same-cases.ts'],
    // Limits for hanging tests: the slowest test takes some seconds, but a machine may be busy with other work.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    // Files share their worker.
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
