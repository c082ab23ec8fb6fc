import type { State } from '../state.ts'

/** One read of the cloud that serves many resources: a list, filtered where the cloud can filter. */
export interface Observation<C, T> {
  readonly name: string
  observe(context: {
    readonly cloud: C
    readonly state: State
    readonly signal: AbortSignal
    /**
     * Only whether something has come or gone is looked at, in the middle of a step or while it waits: what its plan went by
     * needs no second proof.
     */
    readonly polling?: boolean
    /** Another observation, for what is known only then: the VPC whose default group is looked for. */
    readonly read: Read<C>
  }): Promise<T>
}

export type Read<C> = <T>(observation: Observation<C, T>) => Promise<T>

/**
 * Reads each observation once, when it is first asked for; those that do not ask for one another run side by side.
 * Make one per look at the cloud.
 */
export const reader = <C>(context: {
  readonly cloud: C
  readonly state: State
  readonly signal: AbortSignal
  readonly polling?: boolean
}): Read<C> => {
  const made = new Map<unknown, Promise<unknown>>()
  const read: Read<C> = <T>(observation: Observation<C, T>): Promise<T> => {
    const known = made.get(observation)
    // The map holds under an observation what that observation made.
    if (known !== undefined) return known as Promise<T>
    const reading = observation.observe({ ...context, read })
    made.set(observation, reading)
    return reading
  }
  return read
}
