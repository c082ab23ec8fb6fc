import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Clock, followSignal, type Timestamp } from '../../../shared/clock/clock.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { ActionTimeout, type ErrorKindOf, failureOf } from '../error-kind.ts'
import type { Resource, Unmark } from '../graph/graph.ts'
import type { AnyFound, AnyType, CallContext } from '../graph/resource-type.ts'
import { type Change, completeAttributes, reader } from '../graph/resource-type.ts'
import type { Ensure, RetainedThing } from '../plan/action.ts'
import { differencesOf, mustReplace } from '../plan/plan.ts'
import type { StateWriter } from '../state.ts'
import { fresh } from '../state.ts'

/** Ensures one resource of the graph: creates it, waits until it is usable, and updates differences. */
export const ensure = async <C>(work: ApplyContext<C>, action: Ensure<C>): Promise<ActionResult> => {
  const { kind, resource, found, incarnation } = action
  if (kind === 'missing') {
    throw new CodedError(`${resource.label} does not exist, and Trellis must not create it`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
  }
  if (kind === 'wait' && found === undefined) {
    const id = incarnation[0] ?? ''
    return {
      kind: 'waiting',
      how: 'busy',
      id,
      afterMs: pollOf(resource),
      text: `${resource.label} to be listed`,
    }
  }
  if (found === undefined) return completeFound(work, resource, await create(work, action), true)
  // Recorded resources may be replaced. An adopted one may also have keys to remove.
  if (kind === 'adopt' || !action.likely) await remember(work, resource, found)
  return kind === 'adopt' ? { kind: 'done' } : completeFound(work, resource, found, false)
}

const create = async <C>(work: ApplyContext<C>, { resource, incarnation }: Ensure<C>): Promise<AnyFound> => {
  const { type, label, name, key } = resource
  const attributes = completeAttributes(label, resource.desired(work.outcomes))
  const needs = resource.needs(work.outcomes) ?? {}
  const attempt = async (round: number): Promise<AnyFound> => {
    const token = createToken(work.uid, label, round === 0 ? incarnation : [...incarnation, `round ${round}`])
    try {
      const made = await write(work, type, call => {
        if (type.create === undefined) throw new TypeError(`${type.what} cannot be created`)
        return type.create({ ...call, name, key, attributes, needs, token })
      })
      if (made.id === '') throw new UnnamedThing(label)
      return made
    } catch (error) {
      // The token created a resource that an old state does not name. The next token is also the same in every attempt.
      if (work.errorKindOf(error) === 'spent' && round < mostTokens) return attempt(round + 1)
      throw error
    }
  }
  let found: AnyFound | undefined
  try {
    found = await attempt(0)
  } catch (error) {
    const fault =
      error instanceof ActionTimeout || error instanceof UnnamedThing ? 'uncertain' : work.errorKindOf(error)
    if (fault !== 'uncertain' && fault !== 'exists') throw error
    work.signal.throwIfAborted()
    // A foreign resource may have the same key.
    const isIt = ({ id, key, status, mark, ours }: AnyFound) =>
      key === resource.key &&
      !incarnation.includes(id) &&
      (mark ?? ours) !== undefined &&
      (status === 'ready' || status === 'pending')
    found = (await work.observeType(type)).find(isIt)
    if (found === undefined) throw error
  }
  if (type.marks) work.marks.set(found.id, found.mark ?? found.id)
  work.stateWriter.change(fresh(resource.idKey, work.clock.now()))
  await remember(work, resource, found)
  return found
}

/** The maximum number of spent tokens in a row. */
const mostTokens = 20

/** A create response has no id, so it did not come from the cloud, but from a proxy. */
class UnnamedThing extends Error {
  override readonly name = 'UnnamedThing'

  constructor(label: string) {
    super(
      `${label}: the create response has no id and may be from a proxy. Check proxies and endpoints on the way`,
    )
  }
}

const completeFound = async <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  start: AnyFound,
  created: boolean,
): Promise<ActionResult> => {
  const { label } = resource
  let found = await available(work, resource, start, created)
  if ('how' in found) return found
  const changes = differencesOf(resource, found, resource.desired(work.outcomes))
  if (mustReplace(resource, changes)) {
    // The next plan replaces a resource that differs. A resource that was just created would differ forever.
    if (created) throw new Error(`${label} (${found.id}) was created with other values: ${listed(changes)}`)
    return { kind: 'waiting', how: 'busy', id: found.id, afterMs: 0, text: `${label} to be replaced` }
  }
  if (changes.length > 0) {
    const updated = await update(work, resource, found, changes)
    await remember(work, resource, updated)
    found = await available(work, resource, updated, true)
    if ('how' in found) return found
  }
  await remember(work, resource, found)
  const { outcomes, reshaped } = work
  if (outcomes.has(label) && !isDeepStrictEqual(outcomes.get(label), found.outcome)) reshaped.add(label)
  outcomes.set(label, found.outcome)
  return { kind: 'done' }
}

const update = async <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  found: AnyFound,
  changes: readonly Change[],
): Promise<AnyFound> => {
  const { type, label, name } = resource
  const attributes = completeAttributes(label, resource.desired(work.outcomes))
  const needs = resource.needs(work.outcomes) ?? {}
  const updated = await write(work, type, async call =>
    type.update?.({ ...call, name, found, changes, attributes, needs }),
  )
  return updated ?? found
}

/** Returns the resource once it is ready, or the wait. Throws if the resource has failed. */
const available = async <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  start: AnyFound,
  begun: boolean,
): Promise<AnyFound | Wait> => {
  const { type, label } = resource
  const { id } = start
  const found =
    start.status === 'pending'
      ? await stay(work, type, things => {
          const now = things.find(thing => thing.id === id)
          return now?.status === 'pending' ? undefined : now
        })
      : start
  const pollMs = pollOf(resource)
  if (found === undefined) {
    const afterMs = begun ? (type.firstPollMs ?? pollMs) : pollMs
    return { kind: 'waiting', how: 'pending', id, afterMs, text: `${label} to become available` }
  }
  if (found.status === 'failed') throw failureOf(label, found)
  // The resource was deleted just now, or long ago and an old token has returned it. The next plan creates another.
  if (found.status !== 'ready')
    return { kind: 'waiting', how: 'busy', id, afterMs: pollMs, text: `${label} to be created` }
  return found
}

const pollOf = <C>({ type }: Resource<C>): number => type.pollMs ?? defaultPollMs

const remember = async <C>(work: ApplyContext<C>, resource: Resource<C>, found: AnyFound): Promise<void> => {
  work.stateWriter.change(resource.remembered(found))
  await work.stateWriter.saved()
}

const listed = (changes: readonly Change[]): string =>
  changes
    .map(({ attribute, before, after }) => `${attribute} ${String(before)} instead of ${String(after)}`)
    .join(', ')

/**
 * Returns the idempotency token of a create. It is the same for every attempt to create one incarnation of a resource,
 * and changes with each incarnation (`incarnation`: the ids that this resource has had). 32 hexadecimal digits.
 */
const createToken = (uid: string, label: string, incarnation: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([uid, label, incarnation]))
    .digest('hex')
    .slice(0, 32)

/** The result of an action that did not fail. */
export type ActionResult = { readonly kind: 'done' } | Wait

/** An action that continues in a later step. */
interface Wait {
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
  readonly unmark: Unmark<C> | undefined
  /** Collects resources that the cloud refuses to delete, if no other action waits for their deletion. */
  readonly left: RetainedThing[]
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
  work: Pick<ApplyContext<C>, 'cloud' | 'clock' | 'signal' | 'stateWriter'>,
): Pick<ApplyContext<C>, 'observeType' | 'observeTypeLater'> => {
  const { cloud, clock, signal, stateWriter } = work
  const coming = new Map<AnyType<C>, Promise<readonly AnyFound[]>>()
  const observeType = (type: AnyType<C>) => {
    const state = stateWriter.current()
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
