import { expect, onTestFailed } from 'vitest'
import type { Aws } from '../aws-interface.ts'
import { type AwsOptions, createAws } from '../simulator.ts'

/** The name of the running test. Suites that share an AWS have one seed. */
const seedOfTest = (): string => {
  const seed = expect.getState().currentTestName
  if (seed === undefined) return 'a suite'
  // Hooks of a test have its name, but cannot register this.
  try {
    onTestFailed(() => {
      process.stderr.write(`shuffleLists: ${JSON.stringify(seed)}\n`)
    })
  } catch {
    return seed
  }
  return seed
}

/** Creates an AWS whose lists are shuffled by the name of the test. A failing test prints the seed. */
export const shuffledAws = (options: AwsOptions = {}): Aws =>
  createAws({ shuffleLists: seedOfTest(), ...options })
