import type { Clock } from '../../../shared/clock/clock.ts'
import type { Exchange } from '../process/exchange.ts'
import type { RunningCode } from '../process/process.ts'
import type { Problems } from './invariant.ts'

/**
 * The most calls of one step to its cloud. A new network of three zones takes some 120; the calls of an account are
 * shared by all its shoots.
 */
const mostCallsOfStep = 400

/**
 * The most calls for one object in an hour. A new network takes up to 2,300, if reads lag by 90 s and pages have one
 * item; a wait that reads a network each five seconds makes 15,000.
 */
const mostCallsOfObject = 8_000
const hourMs = 3_600_000

/** Counts the calls of each step and object to its cloud. */
export const countCalls = (problems: Problems, clock: Clock) => {
  const counts = new Map<string, number>()
  const exceeds = (id: string, most: number): boolean => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === most + 1
  }
  return ({ process, step }: RunningCode, { way }: Exchange): void => {
    if (way !== 'cloud' || step === undefined) return
    const { kind, namespace = '', name, event } = step
    const object = `${kind} ${namespace}/${name}`
    const add = (what: string) => problems.add('every wait has a reason, every operation an end', what)
    if (exceeds(`${process.name} ${event}`, mostCallsOfStep))
      add(`a step of ${object} made more than ${mostCallsOfStep} calls`)
    const hour = Math.floor(clock.now() / hourMs)
    if (exceeds(`${object} in ${hour}`, mostCallsOfObject))
      add(`steps of ${object} made more than ${mostCallsOfObject} calls in an hour`)
  }
}
