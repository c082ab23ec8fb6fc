import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import type { CallRequest, RateLimiter } from './rate-limit.ts'

export interface SharedCallsOptions<Input, Output> {
  readonly limiter: RateLimiter
  readonly clock: Clock
  /** Sends one call for these steps. Returns their outputs in this order; undefined for one that needs another call. */
  readonly send: (inputs: readonly Input[], signal: AbortSignal) => Promise<readonly (Output | undefined)[]>
  /** Returns the number of inputs, from the first on, that fit into one call. Default: all. */
  readonly mostOf?: (inputs: readonly Input[]) => number
  readonly isThrottled: (error: unknown) => boolean
  /** Returns the inputs that may have caused the error. Default: none, it concerns all steps. */
  readonly suspectsOf?: (error: unknown, inputs: readonly Input[]) => readonly Input[]
}

/** `calls`: the calls that the step needs, from its first one on. 0 for the others: they do not wait. */
export interface SharedCall<Input> extends CallRequest {
  /** Calls with the same group can be one: same kind, credentials and zone. */
  readonly group: string
  readonly input: Input
  readonly signal: AbortSignal
}

interface Sharer<Input, Output> extends SharedCall<Input> {
  readonly until: Timestamp
  mustWait: boolean
  isAlone: boolean
  readonly resolve: (output: Output) => void
  readonly reject: (reason: unknown) => void
}

/** Maximum wait for a call inside a step, in ms. A longer wait ends the step, so that users can read the reason. */
const patienceMs = 2_000

/**
 * Combines calls: a group makes one call at a time, and all steps that wait for the next one share it. Each gets its
 * own result. Returns the function that makes a call. It throws `NotYetError` if the turn is too far away.
 */
export const createSharedCalls = <Input, Output>(options: SharedCallsOptions<Input, Output>) => {
  const { limiter, clock, send, mostOf = inputs => inputs.length, suspectsOf = () => [] } = options
  type Waiting = Sharer<Input, Output>
  /** The steps that wait for the next calls, and what aborts when there are none. */
  const groups = new Map<string, { readonly waiting: Set<Waiting>; readonly abort: AbortController }>()

  /** Returns the members of the next call. */
  const take = ([first, ...others]: Iterable<Waiting>): readonly Waiting[] => {
    if (first === undefined) return []
    const together = first.isAlone ? [first] : [first, ...others.filter(({ isAlone }) => !isAlone)]
    return together.slice(0, Math.max(1, mostOf(together.map(({ input }) => input))))
  }

  const callFor = async (members: readonly Waiting[], waiting: Set<Waiting>, signal: AbortSignal) => {
    const [first] = members
    if (first === undefined) return
    const started = clock.now()
    const inputs = members.map(({ input }) => input)
    for (const member of members) member.mustWait = true
    try {
      const outputs = await send(inputs, signal)
      limiter.report(first, started, false)
      for (const [index, member] of members.entries()) {
        const output = outputs[index]
        if (output !== undefined && waiting.delete(member)) member.resolve(output)
      }
    } catch (error) {
      const isThrottled = options.isThrottled(error)
      limiter.report(first, started, isThrottled)
      // A step that left can be the reason. The call is repeated for the others.
      if (isThrottled || members.some(member => !waiting.has(member))) return
      const suspects = members.length === 1 ? [] : suspectsOf(error, inputs)
      for (const member of members) {
        if (suspects.length === 0 && waiting.delete(member)) member.reject(error)
        if (!suspects.includes(member.input)) continue
        member.isAlone = true
        // The others are first.
        if (waiting.delete(member)) waiting.add(member)
      }
      // They have waited once.
      for (const next of take(waiting)) next.mustWait = false
    }
  }

  const run = async (waiting: Set<Waiting>, signal: AbortSignal): Promise<void> => {
    try {
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const request = { ...first, calls: Math.max(first.calls, 1) }
        if (take(waiting).every(({ mustWait }) => mustWait))
          await limiter.acquire(request, first.until, signal)
        await callFor(take(waiting), waiting, signal)
      }
    } catch (reason) {
      for (const member of waiting) member.reject(reason)
      waiting.clear()
    }
  }

  return async (request: SharedCall<Input>): Promise<Output> => {
    const { signal, group: name, calls } = request
    signal.throwIfAborted()
    const known = groups.get(name)
    const { waiting, abort } = known ?? { waiting: new Set<Waiting>(), abort: new AbortController() }
    const { promise, resolve, reject } = Promise.withResolvers<Output>()
    const until = clock.now() + patienceMs
    const member: Waiting = { ...request, resolve, reject, until, mustWait: calls > 0, isAlone: false }
    const close = () => void (groups.get(name)?.waiting === waiting && groups.delete(name))
    const leave = () => {
      if (waiting.delete(member)) reject(signal.reason)
      if (waiting.size > 0) return
      close()
      abort.abort(signal.reason)
    }
    signal.addEventListener('abort', leave)
    waiting.add(member)
    if (known === undefined) {
      groups.set(name, { waiting, abort })
      void run(waiting, abort.signal).finally(close)
    }
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }
}
