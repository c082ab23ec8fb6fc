import { messageOf } from '../../shared/contract/message-of.ts'
import { type Applied, type ApplyInput, applyPlan } from './apply/apply.ts'
import { stillWaiting } from './apply/still-waiting.ts'
import type { Graph } from './graph/graph.ts'
import { type Read, reader } from './graph/observation.ts'
import type { Plan } from './plan/action.ts'
import type { Observed } from './plan/match.ts'
import { planChanges } from './plan/plan.ts'
import { type SaveState, type State, stateKeeper } from './state.ts'

export interface ReconcileInput<C> extends Omit<ApplyInput<C>, 'plan' | 'keeper' | 'until'> {
  readonly graph: Graph<C>
  /** As it was stored, decoded; the one that `save` gets last is the one to go on with. */
  readonly state: State
  /** Never called twice at a time. */
  readonly save: SaveState
  readonly destroy?: boolean
  /**
   * What a check before this step has read of the same cloud and state: the plan is made with it. No wait and no poll
   * is answered by it.
   */
  readonly read?: Read<C> | undefined
  /**
   * Nothing has been asked for since the last step: while all that it waited for is still on its way, one look at those
   * types is all that this step does.
   */
  readonly resumed?: boolean
  /** No action begins after so many ms; 20 s when absent. */
  readonly limitMs?: number
  /** Awaited before anything is done. */
  readonly onPlan?: (plan: Plan<C>) => void | Promise<void>
}

export type ReconcileOutcome = Applied & { readonly state: State }

/** One step towards what a graph says, or with `destroy` towards nothing: observe, plan, apply. */
export const reconcileGraph = async <C>(input: ReconcileInput<C>): Promise<ReconcileOutcome> => {
  const { graph, cloud, clock, signal, destroy = false } = input
  const until = clock.now() + (input.limitMs ?? 20_000)
  const keeper = stateKeeper(input.state, input.save)
  const still = input.resumed ? await stillWaiting(input) : undefined
  if (still !== undefined) return { ...still, state: input.state }
  const observed = await observe(graph, { cloud, state: input.state, signal, read: input.read })
  const plan = planChanges({ graph, observed, state: input.state, now: clock.now(), destroy })
  await input.onPlan?.(plan)
  const applied = await applyPlan({ ...input, plan, keeper, until })
  return { ...applied, state: keeper.current() }
}

/** What a step would do. */
export const planGraph = async <C>(
  input: Pick<ReconcileInput<C>, 'graph' | 'cloud' | 'state' | 'signal' | 'clock' | 'destroy' | 'read'>,
): Promise<Plan<C>> => {
  const { graph, state, clock, destroy = false } = input
  return planChanges({ graph, observed: await observe(graph, input), state, now: clock.now(), destroy })
}

interface ObserveInput<C> {
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
const observe = async <C>({ types }: Graph<C>, input: ObserveInput<C>): Promise<Observed<C>> => {
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
