import { defineConfig } from 'vitest/config'
import first from '../vitest.config.ts'

/** They replace builtins of their process. */
const simulations = ['sandbox/simulation/**/*.deep.test.ts', 'test/simulation/**/*.deep.test.ts']

/** They load other versions of modules, which must not stay in a process. */
const upgrades = 'test/upgrades/**/*.deep.test.ts'

/** The second tier: suites that start processes, stop at every write, or run whole lives of shoots. */
export default defineConfig({
  test: {
    ...first.test,
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'deep',
          isolate: false,
          include: ['**/*.deep.test.ts'],
          exclude: ['node_modules/**', 'dist/**', upgrades, ...simulations],
        },
      },
      { extends: true, test: { name: 'alone', isolate: true, include: [upgrades] } },
      {
        extends: true,
        test: {
          name: 'simulation',
          isolate: true,
          include: simulations,
          // Before the imports of a suite: modules of the product take references to builtins.
          setupFiles: ['sandbox/simulation/determinism/deterministically.ts'],
        },
      },
    ],
  },
})
