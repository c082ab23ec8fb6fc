import { partOf } from '../../../build/programs/programs.ts'
import { kubePrograms } from '../../real/programs/kube-programs.ts'
import type { Benchmark, Figure, Row } from '../figure.ts'
import { type BridgeSeed, startBridgeSeed } from './seed.ts'

/** A row without its value: the goal, and the known figures of others. */
export type BenchmarkGoal = Omit<Figure, 'value'>

/** A value, optionally beside one measured for comparison at the same time. */
export type Measured = number | Pick<Figure, 'value' | 'reference'>

/**
 * A benchmark of the bridge's process with a real kube-apiserver. `measure` returns a value for each goal; without
 * kube-apiserver, the row of every goal says what is missing.
 */
export const bridgeBenchmark = <Name extends string>(benchmark: {
  readonly name: string
  readonly goals: Readonly<Record<Name, BenchmarkGoal>>
  readonly measure: (seed: BridgeSeed) => Promise<Readonly<Record<Name, Measured>>>
}): Benchmark => {
  const goals = Object.entries<BenchmarkGoal>(benchmark.goals) as [Name, BenchmarkGoal][]
  return {
    name: benchmark.name,
    run: async (): Promise<readonly Row[]> => {
      const programs = await partOf(() => kubePrograms(process.env), false)
      if ('missing' in programs) return goals.map(([, { name }]) => ({ name, missing: programs.missing }))
      const seed = await startBridgeSeed(programs)
      try {
        const values = await benchmark.measure(seed)
        return goals.map(([name, goal]) => {
          const measured: Measured = values[name]
          return typeof measured === 'number' ? { ...goal, value: measured } : { ...goal, ...measured }
        })
      } finally {
        await seed.close()
      }
    },
  }
}
