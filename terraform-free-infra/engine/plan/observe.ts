import type { Graph } from '../graph/graph.ts'
import { type Read, reader } from '../graph/observation.ts'
import type { State } from '../state.ts'
import type { Observed } from './match.ts'

export interface ObserveInput<C> {
  readonly cloud: C
  readonly state: State
  readonly signal: AbortSignal
  /** Of the same cloud and state, made a moment ago: what it has read already is not read again. */
  readonly read?: Read<C> | undefined
}

/**
 * Looks at everything of the graph's types, side by side; each observation is made once. Fails with the error of the
 * cloud, or with an `AggregateError` of several.
 */
export const observe = async <C>({ types }: Graph<C>, input: ObserveInput<C>): Promise<Observed<C>> => {
  const context = { cloud: input.cloud, state: input.state, read: input.read ?? reader(input) }
  const results = await Promise.allSettled(types.map(async type => [type, await type.list(context)] as const))
  // An observation that several types read fails for each of them with the same error.
  const errors = [
    ...new Set(results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))),
  ]
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join('; '))
  return new Map(results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])))
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
