import type { Clock, Timestamp } from '../../clock/clock.ts'
import { hashOf } from '../../text/hash-of.ts'
import type { CheckQueue } from './check-queue.ts'
import type { Monitored } from './monitored.ts'
import type { CheckingFunction, MonitoredObjects } from './monitored-objects.ts'

/** Decides when all objects of a function are checked at once, so that the function wakes only then. */
export interface Rounds {
  /** Starts the rounds of a function at its first object. */
  add(fn: CheckingFunction): void
  /** A burst of the object's function starts soon. `isDue`: the object is checked in it. */
  catchUp(object: Monitored, isDue: boolean): void
  /** Stops all rounds, for example because the process does not lead. */
  stop(): void
}

export interface RoundsOptions {
  readonly clock: Clock
  readonly roundMs: number
  readonly objects: MonitoredObjects
  readonly queue: Pick<CheckQueue, 'order'>
  /** Returns true while this process orders checks. */
  readonly isLeading: () => boolean
  /** Returns true if events do not reach the functions of a type. After its end, a round starts. */
  readonly isBroken: (provider: string) => boolean
}

/** The time for the first lists after a start, in ms. */
const startMs = 5_000
/** The longest time between two readings of the clock and the path of events, so a clock set back delays no round. */
const tickMs = 30_000
/**
 * The lead of a burst's first check, and the interval between the others, in ms: the first one starts a process, which
 * can then check the others without a second one.
 */
const leadMs = 3_000
const paceMs = 20

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

export const createRounds = (options: RoundsOptions): Rounds => {
  const { clock, roundMs, objects, queue, isLeading, isBroken } = options
  const rounds = new Map<string, Round>()
  const keyOf = ({ kind, provider }: CheckingFunction) => `${kind} ${provider}`

  /** Marks the objects of a function as due. Returns false if it has none: its rounds end. */
  const begin = (fn: CheckingFunction): boolean => {
    const mine = objects.of(fn)
    const at = clock.now() + leadMs
    for (const object of mine)
      if (object.shown.status !== 'True' || !objects.isAsleep(object)) object.due ??= { reason: 'round', at }
    return mine.length > 0
  }

  /** Orders the checks of the objects that are due. */
  const burst = (fn: CheckingFunction) => {
    const now = clock.now()
    const proof = objects.proofOf(fn, now)
    if (proof !== undefined) proof.due ??= { reason: 'refresh', at: now }
    const due = objects.of(fn).filter(object => object.due !== undefined)
    for (const [index, object] of due.entries())
      queue.order(object, {
        reason: object === proof || object.missed > 0 ? 'refresh' : 'round',
        at: object === proof ? now : now + leadMs + index * paceMs,
      })
  }

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

  const roundOf = (fn: CheckingFunction): Round => {
    const known = rounds.get(keyOf(fn))
    if (known !== undefined) return known
    const at = nextRound(fn.provider, roundMs, clock.now())
    const round: Round = { at, catchUpAt: undefined, isBroken: false, disarm: () => {} }
    rounds.set(keyOf(fn), round)
    arm(fn, round)
    return round
  }

  return {
    add: fn => {
      if (isLeading()) roundOf(fn)
    },
    catchUp: (object, isDue) => {
      if (isDue) object.due = { reason: 'round', at: clock.now() + startMs + leadMs }
      if (!isLeading()) return
      const { kind, provider } = object
      const fn = { kind, provider }
      const round = roundOf(fn)
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
