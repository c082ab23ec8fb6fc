import { type Clock, followSignal, type Timestamp } from '../../../shared/clock/clock.ts'
import { ActionTimeout, type ErrorKindOf } from '../error-kind.ts'
import type { Unmark } from '../graph/graph.ts'
import { reader } from '../graph/observation.ts'
import type { AnyFound, AnyType, CallContext } from '../graph/resource-type.ts'
import type { LeftAlone } from '../plan/action.ts'
import type { StateKeeper } from '../state.ts'

/** How an action ended that did not fail. */
export type ActionResult = { readonly kind: 'done' } | Wait

/** An action that goes on in a later step. */
export interface Wait {
  readonly kind: 'waiting'
  /** `busy`: has to be tried again. The others only have to be looked at. */
  readonly how: 'pending' | 'going' | 'busy'
  /** The id of what is waited for; empty when there is none yet. */
  readonly id: string
  readonly afterMs: number
  /** What is waited for: `NAT gateway a to become available`. */
  readonly text: string
  /** Why it is busy: becomes the error when it has lasted too long. */
  readonly error?: unknown
}

/** What the actions of a step share. */
export interface ApplyContext<C> {
  readonly cloud: C
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
  readonly errorKindOf: ErrorKindOf
  readonly keeper: StateKeeper
  /** The uid of the object that all of this is for: part of every idempotency token. */
  readonly uid: string
  /** Nothing is wanted any more. */
  readonly destroying: boolean
  /** The step stays for nothing beyond it. */
  readonly until: Timestamp
  /** Outcomes of what is done, by label. */
  readonly outcomes: Map<string, unknown>
  /** The marks of what was made in this step, by the ids of what carries them. */
  readonly marks: Map<string, string>
  readonly unmark: Unmark<C> | undefined
  /** Filled with what the cloud did not let go, and nothing needs to. */
  readonly left: LeftAlone[]
  /** Filled with the labels of outcomes that differ from those of the plan. */
  readonly reshaped: Set<string>
  /** Looks at a type now. */
  observeType(type: AnyType<C>): Promise<readonly AnyFound[]>
  /** Looks at a type after its poll interval; one look for all that wait for it. */
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

/** Makes a call that writes: within the type's time limit, and not before the check has agreed. */
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

/** Looks again and again, as long as the type has patience and the step has time, until `check` has an answer. */
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

/** Runs a call that is to end within `limitMs`; then its signal aborts, and nobody waits for it any more. */
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
