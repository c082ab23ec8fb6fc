import type { Exchange } from '../process/exchange.ts'
import type { RunningCode } from '../process/process.ts'
import type { Problems } from './invariant.ts'

/**
 * The most calls of one step to its cloud. A new network of three zones takes some 120; the calls of an account are
 * shared by all its shoots.
 */
export const mostCallsOfStep = 400

/** Counts the calls of each step to its cloud. */
export const countCalls = (problems: Problems) => {
  const counts = new Map<string, number>()
  return ({ process, step }: RunningCode, { way }: Exchange): void => {
    if (way !== 'cloud' || step === undefined) return
    const id = `${process.name} ${step.event}`
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    if (count !== mostCallsOfStep + 1) return
    const { kind, namespace = '', name } = step
    problems.add(
      'every wait has a reason, every operation an end',
      `a step of ${kind} ${namespace}/${name} made more than ${mostCallsOfStep} calls`,
    )
  }
}
