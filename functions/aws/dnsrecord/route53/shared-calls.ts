import type { Clock } from '../../../../shared/clock/clock.ts'
import type { RateLimiter, Reservation } from './rate-limit.ts'

/** A call of one step that may be combined with those of other steps. */
export interface SharedCall<Input> {
  /** The account or identity to which AWS counts the calls. */
  readonly account: string
  /** Calls with the same group can be one: same kind, credentials and zone. */
  readonly group: string
  readonly input: Input
  /** True if it has waited for its turn before, or is in the middle of its work. */
  readonly waited: boolean
  /** Calls of the step from this one on. */
  readonly calls: number
  /** Maximum wait inside the step, in ms. */
  readonly patienceMs: number
  readonly signal: AbortSignal
}

/** The result of one step. `alone`: the combined response says nothing about it, so it needs a separate call. */
export type SharedResult<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'alone' }

export interface SharedCallsOptions<Input, Output> {
  readonly limiter: RateLimiter
  readonly clock: Clock
  /** Sends one call for these steps. Returns a result for each, in their order. */
  readonly send: (inputs: readonly Input[], signal: AbortSignal) => Promise<readonly SharedResult<Output>[]>
  /** Returns the number of inputs, from the first on, that fit into one call. Default: all. */
  readonly mostOf?: (inputs: readonly Input[]) => number
  readonly isThrottled: (error: unknown) => boolean
  /** Returns true if the call may have failed because of one of its inputs. It is then repeated in halves. */
  readonly isOfOne: (error: unknown) => boolean
  /** Throws if the step of this input must not call any more. */
  readonly check?: (input: Input) => void
}

/** How long the first call of a paced account waits for others to join, in ms. Calls take about as long. */
const gatherMs = 50

interface SharingStep<Input, Output> {
  readonly call: SharedCall<Input>
  readonly resolve: (output: Output) => void
  readonly reject: (reason: unknown) => void
  waited: boolean
  alone: boolean
  isOver: boolean
}

interface CallGroup<Input, Output> {
  readonly waiting: SharingStep<Input, Output>[]
  /** Aborts when no step waits for the group any more. */
  readonly abort: AbortController
}

/**
 * Combines calls: all steps of a group that wait when its turn comes share one call. Each gets its own result. Returns
 * the function that makes a call; it throws `NotYetError` if the turn is too far away, else the error of the call.
 */
export const createSharedCalls = <Input, Output>(options: SharedCallsOptions<Input, Output>) => {
  const { limiter, clock, send, mostOf = inputs => inputs.length, isThrottled, isOfOne } = options
  type Waiting = SharingStep<Input, Output>
  const groups = new Map<string, CallGroup<Input, Output>>()

  const end = (member: Waiting, finish: () => void): void => {
    if (member.isOver) return
    member.isOver = true
    finish()
  }
  const failAll = (members: readonly Waiting[], reason: unknown): void => {
    for (const member of members) end(member, () => member.reject(reason))
  }
  const open = (members: readonly Waiting[]): Waiting[] => members.filter(({ isOver }) => !isOver)

  const close = (name: string, group: CallGroup<Input, Output>): void => {
    if (groups.get(name) === group) groups.delete(name)
  }

  const acquire = (members: readonly Waiting[], group: string, signal: AbortSignal): Promise<Reservation> =>
    limiter.acquire(
      {
        account: members[0]?.call.account ?? '',
        key: group,
        waited: members.some(({ waited }) => waited),
        calls: Math.max(...members.map(({ call }) => call.calls)),
        patienceMs: Math.max(...members.map(({ call }) => call.patienceMs)),
      },
      signal,
    )

  /** Sends one call for the members. Members that need another one stay open. */
  const callFor = async (
    members: readonly Waiting[],
    reservation: Reservation,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      const results = await send(
        members.map(({ call }) => call.input),
        signal,
      )
      reservation.answered()
      for (const [index, member] of members.entries()) {
        const result = results[index]
        if (result?.kind === 'done') end(member, () => member.resolve(result.output))
        else member.alone = true
      }
    } catch (error) {
      if (isThrottled(error)) reservation.throttled()
      else {
        reservation.answered()
        // A step that left or whose time is over can be the reason, so the call is repeated for the others.
        const over = members.filter(member => member.isOver || isRefused(member))
        if (over.length === 0 && (members.length === 1 || !isOfOne(error))) failAll(members, error)
        else if (over.length === 0) halve(members)
      }
    }
    for (const member of members) member.waited = true
  }

  /** Rejects a member whose step must not call any more, and returns true. */
  const isRefused = (member: Waiting): boolean => {
    try {
      options.check?.(member.call.input)
      return false
    } catch (reason) {
      end(member, () => member.reject(reason))
      return true
    }
  }

  /** Marks members of a failed call. The failing one is found in at most twice as many calls as it takes to halve them. */
  const halve = (members: readonly Waiting[]): void => {
    const half = Math.ceil(members.length / 2)
    for (const [index, member] of members.entries()) {
      if (half === 1) member.alone = true
      else parts.set(member, index < half ? half : members.length - half)
    }
  }
  /** The size of the next call for members whose call failed. */
  const parts = new WeakMap<Waiting, number>()

  /** Returns the members of the next call. */
  const take = (waiting: readonly Waiting[]): readonly Waiting[] => {
    const first = waiting[0]
    if (first === undefined) return []
    const together = first.alone
      ? [first]
      : waiting.filter(({ alone }) => !alone).slice(0, parts.get(first) ?? waiting.length)
    const count = Math.max(1, mostOf(together.map(({ call }) => call.input)))
    return together.slice(0, count)
  }

  const run = async (name: string, group: CallGroup<Input, Output>): Promise<void> => {
    const account = group.waiting[0]?.call.account ?? ''
    const { signal } = group.abort
    try {
      if (limiter.isPaced(account)) await clock.sleep(gatherMs, signal)
      while (group.waiting.length > 0) {
        const reservation = await acquire(group.waiting, name, signal)
        await callFor(take(open(group.waiting)), reservation, signal)
        group.waiting.splice(0, group.waiting.length, ...open(group.waiting))
      }
      close(name, group)
    } catch (reason) {
      close(name, group)
      failAll(group.waiting, reason)
    }
  }

  return (call: SharedCall<Input>): Promise<Output> =>
    new Promise((resolve, reject) => {
      const { signal, group: name } = call
      if (signal.aborted) return reject(signal.reason)
      const known = groups.get(name)
      const group = known ?? { waiting: [], abort: new AbortController() }
      const leave = () => {
        end(member, () => reject(signal.reason))
        if (open(group.waiting).length > 0) return
        close(name, group)
        group.abort.abort(signal.reason)
      }
      const stop = () => signal.removeEventListener('abort', leave)
      const member: Waiting = {
        call,
        resolve: output => {
          stop()
          resolve(output)
        },
        reject: reason => {
          stop()
          reject(reason)
        },
        waited: call.waited,
        alone: false,
        isOver: false,
      }
      signal.addEventListener('abort', leave, { once: true })
      group.waiting.push(member)
      if (known !== undefined) return
      groups.set(name, group)
      void run(name, group)
    })
}
