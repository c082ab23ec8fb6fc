import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { type ActionError, ApplyError, type ErrorKindOf } from '../error-kind.ts'
import type { Outcomes } from '../graph/graph.ts'
import { forgetMade, forgetShown } from '../memory.ts'
import type { Action, Plan, RetainedThing } from '../planning/action.ts'
import type { StateWriter } from '../state.ts'
import { type NotedWait, noneGone, notedWaits, noteWaits, waitingSince } from '../state.ts'
import { type ApplyContext, typeObservers } from './apply-context.ts'
import { momentOf } from './ensure.ts'
import { type Performed, perform, subjectOf, typeOf } from './perform.ts'

export interface ApplyInput<C> {
  readonly plan: Plan<C>
  readonly cloud: C
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Throws once the step may no longer write. Called right before each write. */
  readonly throwIfExpired: () => void
  readonly errorKindOf: ErrorKindOf
  readonly stateWriter: StateWriter
  /** The uid of the object that owns the graph. */
  readonly uid: string
  /** No action starts after this time, and no wait exceeds it. */
  readonly until: Timestamp
  /** The longest time in which the cloud may not show a change, in milliseconds. */
  readonly shownWithinMs: number
  /** The number of concurrent actions. Default: 8. */
  readonly concurrency?: number
  readonly onEvent?: (event: ApplyEvent) => void
}

/** A change of one action, for logs. */
export interface ApplyEvent {
  readonly kind: 'started' | 'done' | 'waiting' | 'failed'
  readonly sentence: string
  /** 1 to 99. */
  readonly progress: number
}

/** The result of a step that did not fail: all is done, or a wait continues in a later step. */
export type Applied =
  | {
      readonly kind: 'converged'
      readonly outcomes: Outcomes
      /** Resources that look like ours but are not proved to be. They were not changed. */
      readonly left: readonly RetainedThing[]
    }
  | {
      readonly kind: 'continue'
      readonly afterMs: number
      /** 1 to 99. */
      readonly progress: number
      /** For users: `Waiting for NAT gateway a to become available`. */
      readonly description: string
    }

/**
 * Performs the actions of a plan as far as possible now. A branch that fails or waits does not delay the others. The
 * state is written after each change. Throws an `ApplyError` with all failed actions once the others have ended. An
 * error from the expiry check or the signal stops the run and is rethrown unchanged.
 */
export const applyPlan = async <C>(input: ApplyInput<C>): Promise<Applied> => {
  const { plan, clock, signal, stateWriter, onEvent } = input
  const work: ApplyContext<C> = {
    ...input,
    destroying: plan.destroying,
    outcomes: new Map(plan.outcomes),
    marks: new Map(),
    hooks: plan.hooks,
    left: [...plan.left],
    reshaped: new Set(),
    ...typeObservers({ ...input, hooks: plan.hooks }),
  }
  const open = new Set(plan.actions.map(({ sentence }) => sentence))
  const progress = () => progressOf(plan, open)
  const ends = await schedule<Action<C>, Performed>({
    actions: plan.actions,
    concurrency: input.concurrency ?? 8,
    mayStart: () => clock.now() < input.until && !signal.aborted,
    isDone: ({ kind }) => kind === 'done',
    run: async action => {
      const { sentence } = action
      onEvent?.({ kind: 'started', sentence, progress: progress() })
      const result = await perform(work, action)
      if (result.kind === 'done') open.delete(sentence)
      onEvent?.({ kind: result.kind, sentence, progress: progress() })
      return result
    },
  })
  signal.throwIfAborted()
  stateWriter.change(noteWaits(stateWriter.current(), waitsOf(work, ends)))
  if (open.size === 0 && work.reshaped.size === 0 && plan.destroying) {
    const state = stateWriter.current()
    stateWriter.change({ ...noneGone(state), ...forgetMade(state) })
  }
  // Without an action, nothing is saved. The memory may stay longer.
  if (plan.actions.length > 0) stateWriter.change(forgetShown(stateWriter.current(), momentOf(work)))
  await stateWriter.saved()
  return conclusion(ends, work, plan.failures, progress())
}

type Ends<C> = ReadonlyMap<Action<C>, Ended<Performed>>

const resultsOf = <C>(ends: Ends<C>): readonly Performed[] =>
  [...ends.values()].flatMap(end => (end.kind === 'ran' ? [end.result] : []))

const postponedOf = <C>(ends: Ends<C>): readonly string[] =>
  [...ends].flatMap(([{ sentence }, { kind }]) => (kind === 'postponed' ? [sentence] : []))

/**
 * Returns the waits to record. If an action has failed or not started, every wait requests a complete step: a failed
 * action has no wait of its own, and the next step does not know of the error if the status could not be written.
 */
const waitsOf = <C>(work: ApplyContext<C>, ends: Ends<C>): readonly NotedWait[] => {
  const state = work.stateWriter.current()
  const quiet =
    work.reshaped.size === 0 &&
    postponedOf(ends).length === 0 &&
    resultsOf(ends).every(({ kind }) => kind !== 'failed')
  return [...ends].flatMap(([action, end]): readonly NotedWait[] => {
    if (end.kind !== 'ran' || end.result.kind === 'done') return []
    const subject = subjectOf(action)
    // A failed action still counts from the start of its wait.
    if (end.result.kind === 'failed')
      return notedWaits(state)
        .filter(wait => wait.subject === subject)
        .map(wait => ({ ...wait, how: 'busy' }))
    const { id, how } = end.result
    return [
      {
        subject,
        id,
        since: waitingSince(state, subject, id) ?? work.clock.now(),
        how: quiet ? how : 'busy',
        what: typeOf(action)?.what ?? '',
      },
    ]
  })
}

/** The next plan needs the new outcomes, which the cloud may show a moment later, in milliseconds. */
const reshapedMs = 1_000

const conclusion = <C>(
  ends: Ends<C>,
  work: ApplyContext<C>,
  failures: readonly ActionError[],
  progress: number,
): Applied => {
  const results = resultsOf(ends)
  const failed = results.flatMap(result => (result.kind === 'failed' ? [result.error] : []))
  const waits = results.flatMap(result => (result.kind === 'waiting' ? [result] : []))
  const errors = waits.length === 0 ? failed : [...failed, ...failures]
  if (errors.length > 0) throw new ApplyError(errors)
  const postponed = postponedOf(ends)
  if (postponed.length > 0 || work.reshaped.size > 0) {
    const description =
      postponed.length > 0
        ? `Continuing with: ${some(postponed)}`
        : `Continuing with the dependents of ${some([...work.reshaped])}`
    return { kind: 'continue', afterMs: postponed.length > 0 ? 0 : reshapedMs, progress, description }
  }
  if (waits.length === 0) return { kind: 'converged', outcomes: work.outcomes, left: work.left }
  return {
    kind: 'continue',
    afterMs: Math.min(...waits.map(({ afterMs }) => afterMs)),
    progress,
    description: waitingFor(waits.map(({ text }) => text)),
  }
}

export const waitingFor = (texts: readonly string[]): string => `Waiting for ${some(texts)}`

const some = (texts: readonly string[]): string =>
  texts.length <= 3 ? texts.join(', ') : `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more`

/** The share of resources without remaining actions, 1 to 99. */
const progressOf = <C>({ actions, size }: Plan<C>, open: ReadonlySet<string>): number => {
  const left = new Set(actions.filter(({ sentence }) => open.has(sentence)).map(subjectOf)).size
  return progressWith(left, size)
}

/** The progress while `left` of `size` resources remain, 1 to 99. */
export const progressWith = (left: number, size: number): number => {
  const all = Math.max(size, left, 1)
  return Math.min(99, Math.max(1, Math.round((100 * (all - left)) / all)))
}

/** The end of one action in the run of a graph. */
type Ended<R> =
  | { readonly kind: 'ran'; readonly result: R }
  /** A dependency was not done. */
  | { readonly kind: 'blocked' }
  /** There was no time to start it. */
  | { readonly kind: 'postponed' }

interface Node {
  readonly sentence: string
  readonly after: readonly string[]
}

export interface Schedule<N extends Node, R> {
  /** Sorted so that each action follows its dependencies. */
  readonly actions: readonly N[]
  /** The number of concurrent actions. */
  readonly concurrency: number
  readonly mayStart: () => boolean
  /** Rejects only when no further action may start. */
  readonly run: (action: N) => Promise<R>
  readonly isDone: (result: R) => boolean
}

/**
 * Runs each action as soon as all its dependencies are done. If `run` rejects, no further action starts, and the
 * rejection is rethrown once the running actions have ended.
 */
const schedule = async <N extends Node, R>(input: Schedule<N, R>): Promise<ReadonlyMap<N, Ended<R>>> => {
  const ended = new Map<string, Ended<R>>()
  const running = new Map<string, Promise<void>>()
  const broken: unknown[] = []
  const isDone = (sentence: string): boolean => {
    const end = ended.get(sentence)
    return end?.kind === 'ran' && input.isDone(end.result)
  }
  const start = (action: N): void => {
    const end = async () => {
      try {
        ended.set(action.sentence, { kind: 'ran', result: await input.run(action) })
      } catch (error) {
        broken.push(error)
      }
      running.delete(action.sentence)
    }
    running.set(action.sentence, end())
  }

  for (;;) {
    for (const action of input.actions) {
      if (broken.length > 0 || running.size >= input.concurrency) break
      if (ended.has(action.sentence) || running.has(action.sentence)) continue
      if (action.after.some(sentence => ended.has(sentence) && !isDone(sentence))) {
        ended.set(action.sentence, { kind: 'blocked' })
      } else if (action.after.every(isDone)) {
        if (input.mayStart()) start(action)
        else ended.set(action.sentence, { kind: 'postponed' })
      }
    }
    if (running.size === 0) break
    await Promise.race(running.values())
  }
  if (broken.length > 0) throw broken[0]
  return new Map(input.actions.map(action => [action, ended.get(action.sentence) ?? { kind: 'blocked' }]))
}
