import { type Clock, followSignal, type Timestamp } from '../../../shared/clock/clock.ts'
import { ActionTimeout, type ErrorKindOf } from '../error-kind.ts'
import type { GraphHooks } from '../graph/graph.ts'
import { type AnyFound, type AnyType, type CallContext, type Read, reader } from '../graph/resource-type.ts'
import { withMemory } from '../memory.ts'
import type { RetainedThing } from '../planning/action.ts'
import type { StateWriter } from '../state.ts'

/** The result of an action that did not fail. */
export type ActionResult = { readonly kind: 'done' } | Wait

/** An action that continues in a later step. */
export interface Wait {
  readonly kind: 'waiting'
  /** `busy` must be retried. The others only need reads. */
  readonly how: 'pending' | 'going' | 'busy'
  /** The id of the awaited resource. Empty if it has none yet. */
  readonly id: string
  readonly afterMs: number
  /** The awaited event: `NAT gateway a to become available`. */
  readonly text: string
  /** The cause of `busy`. It becomes the error when the wait exceeds its limit. */
  readonly error?: unknown
  /** True if it ends by itself, so it never becomes an error. */
  readonly isBounded?: boolean
}

/** The context that the actions of a step share. */
export interface ApplyContext<C> {
  readonly cloud: C
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  readonly errorKindOf: ErrorKindOf
  readonly stateWriter: StateWriter
  /** The uid of the object that owns the graph. Part of every idempotency token. */
  readonly uid: string
  /** True if the graph is being destroyed. */
  readonly destroying: boolean
  /** The step does not wait beyond this time. */
  readonly until: Timestamp
  /** The outcomes of finished actions, by label. */
  readonly outcomes: Map<string, unknown>
  /** The marks of resources created in this step, by resource id. */
  readonly marks: Map<string, string>
  readonly hooks: GraphHooks<C>
  /** The longest time in which the cloud may not show a change, in milliseconds. */
  readonly shownWithinMs: number
  /** Collects resources that the cloud refuses to delete, if no other action waits for their deletion. */
  readonly left: RetainedThing[]
  /** Collects the labels of outcomes that differ from those of the plan. */
  readonly reshaped: Set<string>
  /** Reads a type now. */
  observeType(type: AnyType<C>): Promise<readonly AnyFound[]>
  /** Reads a type after its poll interval. All waits for the type share one read. */
  observeTypeLater(type: AnyType<C>): Promise<readonly AnyFound[]>
  /** Returns what blocks the removal of a resource, if it is known. All removals of a step share the reads. */
  explain(type: AnyType<C>, found: AnyFound): Promise<string | undefined>
}

export const defaultPollMs = 5_000
export const defaultWaitLimitMs = 600_000
const defaultTimeoutMs = 15_000

export const typeObservers = <C>(
  work: Pick<ApplyContext<C>, 'cloud' | 'clock' | 'signal' | 'stateWriter' | 'shownWithinMs'> &
    Pick<ApplyContext<C>, 'hooks'>,
): Pick<ApplyContext<C>, 'observeType' | 'observeTypeLater' | 'explain'> => {
  const { cloud, clock, signal, stateWriter, shownWithinMs, hooks } = work
  const coming = new Map<AnyType<C>, Promise<readonly AnyFound[]>>()
  const observeType = async (type: AnyType<C>) => {
    const state = stateWriter.current()
    const things = await type.list({ cloud, state, read: reader({ cloud, state, signal, polling: true }) })
    return withMemory(type.what, things, stateWriter.current(), { now: clock.now(), shownWithinMs })
  }
  let explaining: Read<C> | undefined
  return {
    observeType,
    explain: async ({ what }, found) => {
      const state = stateWriter.current()
      explaining ??= reader({ cloud, state, signal })
      return hooks.explain?.({ cloud, state, read: explaining }, { what, found })
    },
    observeTypeLater: type => {
      const waited = coming.get(type)
      if (waited !== undefined) return waited
      const next = clock.sleep(type.pollMs ?? defaultPollMs, signal).then(() => {
        coming.delete(type)
        return observeType(type)
      })
      coming.set(type, next)
      return next
    },
  }
}

/** Makes a write call within the type's time limit, after the expiry check. */
export const write = <C, T>(
  work: ApplyContext<C>,
  type: Pick<AnyType<C>, 'timeoutMs'>,
  call: (context: CallContext<C>) => Promise<T>,
): Promise<T> => {
  const { cloud, clock, throwIfExpired } = work
  return withinLimit(work, type.timeoutMs ?? defaultTimeoutMs, signal => {
    throwIfExpired()
    return call({ cloud, clock, throwIfExpired, signal })
  })
}

/** Reads repeatedly until `check` returns a result, the type's limit is reached, or the step runs out of time. */
export const stay = async <C, T>(
  work: ApplyContext<C>,
  type: AnyType<C>,
  check: (found: readonly AnyFound[]) => T | undefined,
): Promise<T | undefined> => {
  const end = Math.min(work.until, work.clock.now() + (type.patienceMs ?? 0))
  while (work.clock.now() + (type.pollMs ?? defaultPollMs) <= end) {
    const answer = check(await work.observeTypeLater(type))
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Runs a call with a limit of `limitMs`. After that, its signal aborts and the call is no longer awaited. */
const withinLimit = async <T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  limitMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted()
  const limited = followSignal(signal)
  const cancel = clock.after(limitMs, () =>
    limited.abort(new ActionTimeout(`no answer within ${limitMs} ms`)),
  )
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  limited.signal.addEventListener('abort', () => reject(limited.signal.reason), { once: true })
  try {
    return await Promise.race([call(limited.signal), aborted])
  } finally {
    cancel()
    limited.release()
  }
}
