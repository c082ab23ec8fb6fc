import { defineConfig } from 'vitest/config'
import first, { simulations } from './vitest.config.ts'

const inProcesses = simulations.map(folder => `${folder}/**/*.deep.test.ts`)

/** The second tier: suites that start processes, stop at every write, or run whole lives of shoots. */
export default defineConfig({
  test: {
    ...first.test,
    projects: [
      {
        extends: true,
        test: {
          name: 'deep',
          isolate: false,
          include: ['**/*.deep.test.ts'],
          exclude: ['node_modules/**', 'dist/**', ...inProcesses],
        },
      },
      { extends: true, test: { name: 'simulation', isolate: true, include: inProcesses } },
    ],
  },
})
