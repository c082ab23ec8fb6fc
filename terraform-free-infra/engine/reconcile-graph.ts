import { messageOf } from '../../shared/text/message-of.ts'
import { type Applied, type ApplyInput, applyPlan } from './apply/apply.ts'
import { stillWaiting } from './apply/still-waiting.ts'
import type { Graph } from './graph/graph.ts'
import { type Read, reader } from './graph/resource-type.ts'
import { forgetShown, type MemoryTime, withMemory } from './memory.ts'
import type { Plan } from './planning/action.ts'
import { matchAll, type Observed } from './planning/match.ts'
import { planChanges } from './planning/plan.ts'
import { createStateWriter, type SaveState, type State } from './state.ts'

/** The input of a step of the engine. */
export interface ReconcileInput<C>
  extends Omit<ApplyInput<C>, 'plan' | 'stateWriter' | 'until' | 'shownWithinMs'> {
  readonly graph: Graph<C>
  /** The decoded stored state. The state of the last `save` call is the one to continue with. */
  readonly state: State
  /** Never called concurrently. */
  readonly save: SaveState
  readonly destroy?: boolean
  /**
   * The reads of a check just before this step, for the same cloud and state. The plan uses them. Waits and polls do
   * not.
   */
  readonly read?: Read<C> | undefined
  /**
   * True if nothing was requested since the last step. While all awaited resources are still in transition, this step
   * only reads their types once.
   */
  readonly resumed?: boolean
  /** No action starts after this time, in milliseconds. Default: 20 s. */
  readonly limitMs?: number
  /**
   * The longest time in which the cloud may not show a creation, a change or a deletion, in milliseconds. Default: 5
   * min.
   */
  readonly shownWithinMs?: number
  /** Awaited before the first action. */
  readonly onPlan?: (plan: Plan<C>) => void | Promise<void>
  /** Keys to add to the state before the first action. */
  readonly record?: State | undefined
  /**
   * With `destroy`: the deletion has removed nothing yet, so resources that are likely ours are those that the state
   * has lost, unless a creation is unfinished. Their ids are saved, and the resources are deleted too.
   */
  readonly adopt?: boolean
}

/** The result of a step, with the state to continue with. */
export type ReconcileOutcome = Applied & { readonly state: State }

/**
 * Runs one step towards the graph, or towards nothing with `destroy`: observe, plan, apply.
 *
 * @example
 * const outcome = await reconcileGraph({
 *   graph, cloud, state, clock, signal, throwIfExpired,
 *   uid: object.metadata.uid ?? '',
 *   save: next => saveStatus({ state: next }),
 *   errorKindOf: () => 'other',
 * })
 * if (outcome.kind === 'continue') return continueAfter(outcome.afterMs, outcome.progress, outcome.description)
 * return done()
 */
export const reconcileGraph = async <C>(given: ReconcileInput<C>): Promise<ReconcileOutcome> => {
  const input = { ...given, shownWithinMs: given.shownWithinMs ?? defaultShownWithinMs }
  const { graph, clock, destroy = false } = input
  const until = clock.now() + (input.limitMs ?? 20_000)
  const stateWriter = createStateWriter(input.state, input.save)
  const still = input.resumed ? await stillWaiting(input) : undefined
  if (still !== undefined) return { ...still, state: input.state }
  const moment = momentOf(input)
  const observed = await observe(graph, input, moment)
  const adopted = destroy && input.adopt ? likelyFound(graph, observed, input.state) : {}
  const record = missingFrom(input.state, [input.record ?? {}])
  const state = { ...input.state, ...record, ...adopted }
  const plan = planChanges({ graph, observed, state, moment, destroy })
  await input.onPlan?.(plan)
  if (plan.actions.length > 0) {
    stateWriter.change({ ...record, ...adopted, ...recordedBy(plan) })
    await stateWriter.saved()
  }
  const applied = await applyPlan({ ...input, plan, stateWriter, until })
  const left = { ...record, ...stateWriter.current() }
  const shown = forgetShown(left, momentOf(input))
  return { ...applied, state: Object.fromEntries(Object.entries(left).filter(([key]) => !(key in shown))) }
}

const defaultShownWithinMs = 300_000

const momentOf = ({
  clock,
  shownWithinMs = defaultShownWithinMs,
}: Pick<ReconcileInput<never>, 'clock' | 'shownWithinMs'>): MemoryTime => ({
  now: clock.now(),
  shownWithinMs,
})

/**
 * Returns the missing state keys of resources that exist and are ours or likely ours. Use it before an object moves to
 * another seed with an incomplete state. Only reads.
 *
 * @example
 * const missing = await collectGraph({ graph, cloud, state, clock, signal })
 * await saveStatus({ state: { ...state, ...missing } })
 */
export const collectGraph = async <C>(
  input: Pick<ReconcileInput<C>, 'graph' | 'cloud' | 'state' | 'signal' | 'clock' | 'read' | 'shownWithinMs'>,
): Promise<State> => {
  const { graph, state } = input
  const { of } = matchAll(graph, await observe(graph, input, momentOf(input)), state)
  return missingFrom(
    state,
    [...of].flatMap(([resource, { chosen }]) =>
      resource.wanted && chosen !== undefined && !chosen.foreign ? [resource.remembered(chosen)] : [],
    ),
  )
}

/**
 * Returns the ids of resources that are likely ours, by their state keys. Everything that an unfinished creation made
 * has a mark, so beside a mark, a resource without one is not ours.
 */
const likelyFound = <C>(graph: Graph<C>, observed: Observed<C>, state: State): State => {
  const isUnfinished = [...observed.values()].some(found => found.some(({ mark }) => mark !== undefined))
  if (isUnfinished) return {}
  const { of } = matchAll(graph, observed, state)
  return Object.fromEntries(
    [...of].flatMap(([resource, { chosen, whose }]) => {
      const key = chosen && whose === 'likely' ? resource.idKeyOf(chosen) : undefined
      return chosen === undefined || key === undefined ? [] : [[key, chosen.id] as const]
    }),
  )
}

/** Returns the state keys of all adopted resources. They are saved at once, so a step records all or none. */
const recordedBy = <C>({ actions }: Plan<C>): State =>
  missingFrom(
    {},
    actions.flatMap(action =>
      action.target === 'resource' && action.kind === 'adopt' && action.found !== undefined
        ? [action.resource.remembered(action.found)]
        : [],
    ),
  )

const missingFrom = (state: State, values: readonly Readonly<Record<string, string | undefined>>[]): State =>
  Object.fromEntries(
    values
      .flatMap(each => Object.entries(each))
      .filter((entry): entry is [string, string] => entry[1] !== undefined && state[entry[0]] !== entry[1]),
  )

/**
 * Returns the plan of a step without applying it.
 *
 * @example
 * const plan = await planGraph({ graph, cloud, state, clock, signal, destroy: true })
 * console.log(formatPlan(plan))
 */
export const planGraph = async <C>(
  input: Pick<
    ReconcileInput<C>,
    | 'graph'
    | 'cloud'
    | 'state'
    | 'signal'
    | 'clock'
    | 'destroy'
    | 'read'
    | 'record'
    | 'adopt'
    | 'shownWithinMs'
  >,
): Promise<Plan<C>> => {
  const { graph, destroy = false } = input
  const moment = momentOf(input)
  const observed = await observe(graph, input, moment)
  const adopted = destroy && input.adopt ? likelyFound(graph, observed, input.state) : {}
  const state = { ...input.state, ...missingFrom(input.state, [input.record ?? {}]), ...adopted }
  return planChanges({ graph, observed, state, moment, destroy })
}

interface ObserveInput<C> {
  readonly cloud: C
  readonly state: State
  readonly signal: AbortSignal
  /** The recent reads of the same cloud and state. They are not repeated. */
  readonly read?: Read<C> | undefined
}

/**
 * Reads all types of the graph concurrently, each observation once. Fails with the cloud's error, or with an
 * `AggregateError` of several.
 */
const observe = async <C>(
  { types }: Graph<C>,
  input: ObserveInput<C>,
  moment: MemoryTime,
): Promise<Observed<C>> => {
  const { cloud, state, signal } = input
  const context = { cloud, state, read: input.read ?? reader({ cloud, state, signal }) }
  const results = await Promise.allSettled(
    types.map(async type => [type, withMemory(type.what, await type.list(context), state, moment)] as const),
  )
  // If several types read one failed observation, all of them get the same error.
  const errors = [
    ...new Set(results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))),
  ]
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join('; '))
  return new Map(results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])))
}
