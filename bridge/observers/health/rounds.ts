import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { hashOf } from '../../core/core.ts'

/** The function that checks the objects of one kind and type. */
export interface CheckingFunction {
  readonly kind: KindName
  /** `spec.type` of the objects. */
  readonly provider: string
}

/** Decides when all objects of a function are checked at once, so that the function wakes only then. */
export interface Rounds {
  /** Starts the rounds of a function at its first object. */
  add(fn: CheckingFunction): void
  /** The function has objects that were not checked since this process saw them: a burst starts soon. */
  catchUp(fn: CheckingFunction): void
  /** Stops all rounds, for example because the bridge does not lead. */
  stop(): void
}

export interface RoundsOptions {
  readonly clock: Clock
  readonly roundMs: number
  /** Returns true if events do not reach the functions of a type. After its end, a round starts. */
  readonly isBroken: (provider: string) => boolean
  /** Marks all objects of a function as due. Returns false if it has none: its rounds end. */
  readonly begin: (fn: CheckingFunction) => boolean
  /** Orders the checks of the objects that are due. */
  readonly burst: (fn: CheckingFunction) => void
}

/** The time for the first lists after a start, in ms. */
export const startMs = 5_000
/** The longest time between two readings of the clock and the path of events: a clock that is set back delays no round. */
const tickMs = 30_000

/**
 * Returns the next round after now. It depends only on the wall clock and the type, so a restarted bridge
 * has the same rounds. All functions of a provider share them, because one process may serve them all.
 */
export const nextRound = (provider: string, roundMs: number, now: Timestamp): Timestamp => {
  const phase = (now + (hashOf(provider) >>> 0)) % roundMs
  return now + roundMs - phase
}

interface Round {
  at: Timestamp
  catchUpAt: Timestamp | undefined
  isBroken: boolean
  disarm: () => void
}

export const createRounds = ({ clock, roundMs, isBroken, begin, burst }: RoundsOptions): Rounds => {
  const rounds = new Map<string, Round>()
  const keyOf = ({ kind, provider }: CheckingFunction) => `${kind} ${provider}`

  const arm = (fn: CheckingFunction, round: Round) => {
    round.disarm()
    const now = clock.now()
    const next = Math.min(round.at, round.catchUpAt ?? round.at, now + tickMs)
    round.disarm = clock.after(Math.max(next - now, 0), () => tick(fn, round))
  }

  const tick = (fn: CheckingFunction, round: Round) => {
    const now = clock.now()
    const wasBroken = round.isBroken
    round.isBroken = isBroken(fn.provider)
    const next = nextRound(fn.provider, roundMs, now)
    const isDue = now >= round.at || (wasBroken && !round.isBroken)
    round.at = isDue ? next : Math.min(round.at, next)
    if (isDue && !begin(fn)) return void rounds.delete(keyOf(fn))
    const { catchUpAt } = round
    if (isDue || (catchUpAt !== undefined && (now >= catchUpAt || catchUpAt > now + startMs))) {
      round.catchUpAt = undefined
      burst(fn)
    }
    arm(fn, round)
  }

  const add = (fn: CheckingFunction): Round => {
    const known = rounds.get(keyOf(fn))
    if (known !== undefined) return known
    const at = nextRound(fn.provider, roundMs, clock.now())
    const round: Round = { at, catchUpAt: undefined, isBroken: false, disarm: () => {} }
    rounds.set(keyOf(fn), round)
    arm(fn, round)
    return round
  }

  return {
    add,
    catchUp: fn => {
      const round = add(fn)
      if (round.catchUpAt !== undefined) return
      round.catchUpAt = clock.now() + startMs
      arm(fn, round)
    },
    stop: () => {
      for (const { disarm } of rounds.values()) disarm()
      rounds.clear()
    },
  }
}
