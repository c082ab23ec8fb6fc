import { type Clock, followSignal, type Timestamp } from '../../../shared/clock/clock.ts'
import { ActionTimeout, type ErrorKindOf } from '../error-kind.ts'
import type { Unmark } from '../graph/graph.ts'
import { reader } from '../graph/observation.ts'
import type { AnyFound, AnyType, CallContext } from '../graph/resource-type.ts'
import type { LeftAlone } from '../plan/action.ts'
import type { StateKeeper } from '../state.ts'

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
}

/** The context that the actions of a step share. */
export interface ApplyContext<C> {
  readonly cloud: C
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  readonly errorKindOf: ErrorKindOf
  readonly keeper: StateKeeper
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
  readonly unmark: Unmark<C> | undefined
  /** Collects resources that the cloud refuses to delete and that nothing needs deleted. */
  readonly left: LeftAlone[]
  /** Collects the labels of outcomes that differ from those of the plan. */
  readonly reshaped: Set<string>
  /** Reads a type now. */
  observeType(type: AnyType<C>): Promise<readonly AnyFound[]>
  /** Reads a type after its poll interval. All waits for the type share one read. */
  observeTypeLater(type: AnyType<C>): Promise<readonly AnyFound[]>
}

export const defaultPollMs = 5_000
export const defaultWaitLimitMs = 600_000
const defaultTimeoutMs = 15_000

export const typeObservers = <C>(
  work: Pick<ApplyContext<C>, 'cloud' | 'clock' | 'signal' | 'keeper'>,
): Pick<ApplyContext<C>, 'observeType' | 'observeTypeLater'> => {
  const { cloud, clock, signal, keeper } = work
  const coming = new Map<AnyType<C>, Promise<readonly AnyFound[]>>()
  const observeType = (type: AnyType<C>) => {
    const state = keeper.current()
    return type.list({ cloud, state, read: reader({ cloud, state, signal, polling: true }) })
  }
  return {
    observeType,
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
