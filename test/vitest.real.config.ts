import { defineConfig } from 'vitest/config'
import { messageOf } from '../shared/text/message-of.ts'
import { nightlyParts, realSuites, suitesOfParts } from './real/parts.ts'

/** `make real ONLY=helm,images` runs parts of the suites. */
const only = process.env.ONLY
const selected = (parts: string): readonly string[] => {
  try {
    return suitesOfParts(realSuites(), parts).map(({ path }) => path)
  } catch (error) {
    // Vitest would print a stack.
    console.error(messageOf(error))
    process.exit(2)
  }
}
const suites = only ? selected(only) : ['**/*.real.ts']
const excluded = only ? [] : nightlyParts.map(part => `test/real/${part}/**`)

/** The suites that need external programs: see `test/real`. */
export default defineConfig({
  test: {
    include: suites.map(path => `test/real/${path}`),
    exclude: excluded,
    globalSetup: ['test/beside/setup.ts', 'test/real/setup.ts'],
    environment: 'node',
    // Each file starts a kube-apiserver or moto, and waits for them 40 % of its time. Three fit into 16 GB.
    maxWorkers: 3,
    expect: { poll: { timeout: 300_000 } },
    testTimeout: 600_000,
    // The first suite of Knative builds all images, which may take ten minutes on a slow machine.
    hookTimeout: 1_800_000,
  },
})
