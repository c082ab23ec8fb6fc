import type { State } from '../state.ts'

/** One read of the cloud that serves many resources: a list, filtered by the cloud if possible. */
export interface Observation<C, T> {
  readonly name: string
  observe(context: {
    readonly cloud: C
    readonly state: State
    readonly signal: AbortSignal
    /**
     * True if the read only checks for created or deleted resources, during a step or a wait. Facts that the plan
     * already proved are not proved again.
     */
    readonly polling?: boolean
    /** Reads another observation whose need is only known now, such as the VPC for its default group. */
    readonly read: Read<C>
  }): Promise<T>
}

export type Read<C> = <T>(observation: Observation<C, T>) => Promise<T>

/**
 * Returns a function that reads each observation once, at the first request. Independent observations run concurrently.
 * Create one reader per complete read of the cloud.
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
    // The map holds the result of each observation under that observation.
    if (known !== undefined) return known as Promise<T>
    const reading = observation.observe({ ...context, read })
    made.set(observation, reading)
    return reading
  }
  return read
}
