import TinyQueue from 'tinyqueue'
import type { Clock, Timestamp } from '../clock/clock.ts'
import type { Priority } from './queue-types.ts'

/** Selects the next key: fresh before low, subqueues in rotation, closed subqueues one at a time. */
export interface Scheduler {
  /** Removes the next key that may start now from its subqueue, and returns it. */
  next(): string | undefined
  /** The next time at which a key may start that only the rate or the pace delayed at the last call of `next`. */
  wakeAt(): Timestamp | undefined
}

/** After a pause, as many low keys may start at once as `lowPerSecond` allows in this time. Milliseconds. */
const burstMs = 100
/**
 * A sink that is down gets one event every 200 to 250 ms, however many subqueues and objects wait. Its return is
 * noticed within that time, at a small cost for the sink.
 */
const probeEveryMs = 200
const probeJitterMs = 50
/**
 * The largest number of requests without an answer, in multiples of the slots: for one subqueue, and for all. Each has
 * a connection.
 */
const openOfSubqueue = 8
const openOfAll = 32

export const createScheduler = (options: {
  readonly subqueues: readonly Subqueue[]
  readonly concurrency: number
  readonly lowPerSecond: number
  readonly clock: Pick<Clock, 'now'>
  readonly random: () => number
}): Scheduler => {
  const { subqueues, concurrency, lowPerSecond, clock, random } = options
  let nextSubqueue = 0
  let nextLowAt = 0
  let nextProbeAt = 0
  /** The time of the last call of `next`. A later reading would hide delays that have ended since. */
  let previousAt = 0

  /**
   * Returns the slots that `subqueue` leaves free for subqueues with nothing in flight, so that a slow one never delays
   * another.
   */
  const reserved = (subqueue: Subqueue) => {
    if (subqueue.inFlight === 0) return 0
    let idle = 0
    for (const other of subqueues) if (other.inFlight === 0) idle++
    return Math.min(idle, Math.floor(concurrency / 2))
  }

  const isFull = (subqueue: Subqueue) => subqueue.open + subqueue.inFlight >= openOfSubqueue * concurrency

  /** Takes the key that `pick` selects in the next subqueue with a slot, in rotation. */
  const take = (pick: (subqueue: Subqueue) => string | undefined): string | undefined => {
    let free = concurrency
    let open = 0
    for (const subqueue of subqueues) {
      free -= subqueue.inFlight
      open += subqueue.open + subqueue.inFlight
    }
    if (open >= openOfAll * concurrency) return undefined
    for (let step = 0; free > 0 && step < subqueues.length; step++) {
      const subqueue = subqueues[(nextSubqueue + step) % subqueues.length]
      if (subqueue === undefined || isFull(subqueue) || free <= reserved(subqueue)) continue
      const key = pick(subqueue)
      if (key === undefined) continue
      nextSubqueue = (nextSubqueue + step + 1) % subqueues.length
      return key
    }
    return undefined
  }

  const mayProbe = (subqueue: Subqueue) =>
    isClosed(subqueue) &&
    subqueue.inFlight === 0 &&
    subqueue.fresh.size + subqueue.low.size + subqueue.probes.size > 0

  const probe = (now: Timestamp): string | undefined => {
    const key = take(subqueue =>
      mayProbe(subqueue) && probeAtOf(subqueue, nextProbeAt) <= now
        ? (subqueue.fresh.shift() ?? subqueue.low.shift() ?? subqueue.probes.shift())
        : undefined,
    )
    if (key !== undefined) nextProbeAt = now + probeEveryMs + random() * probeJitterMs
    return key
  }

  const ofOpenSubqueue = (priority: Priority) =>
    take(subqueue => (isClosed(subqueue) ? undefined : subqueue[priority].shift()))

  return {
    next: () => {
      const now = clock.now()
      previousAt = now
      const first = ofOpenSubqueue('fresh') ?? probe(now)
      if (first !== undefined || nextLowAt > now) return first
      const low = ofOpenSubqueue('low')
      if (low !== undefined) nextLowAt = Math.max(nextLowAt, now - burstMs) + 1000 / lowPerSecond
      return low
    },
    wakeAt: () => {
      let soonest = Number.POSITIVE_INFINITY
      const offer = (at: Timestamp) => {
        if (at > previousAt && at < soonest) soonest = at
      }
      for (const subqueue of subqueues) {
        if (mayProbe(subqueue)) offer(probeAtOf(subqueue, nextProbeAt))
        else if (!isClosed(subqueue) && subqueue.low.size > 0) offer(nextLowAt)
      }
      return soonest === Number.POSITIVE_INFINITY ? undefined : soonest
    },
  }
}

/** The waiting keys of one kind, the number in progress, and the state of its delivery. */
export interface Subqueue {
  readonly name: string
  readonly fresh: Fifo
  readonly low: Fifo
  /** Keys with a failed last attempt, each with its own wait. */
  readonly backingOff: Set<string>
  /** Keys of `backingOff` that may be sent early, to probe the sink. The key probed last is last in line. */
  readonly probes: Fifo
  inFlight: number
  /** Requests that gave up their slot and have no answer yet. */
  open: number
  /** Failed attempts since the last success. */
  failures: number
  /** If set, the subqueue is closed: one key at a time, and not before this time. */
  closedUntil: Timestamp | undefined
}

/** One failure may be about the event; two consecutive ones are attributed to the sink. */
const failuresToClose = 2
/** A Retry-After applies to one event; for the others of its subqueue at most this many ms. */
const longestClosingMs = 5_000

export const createSubqueue = (name: string): Subqueue => ({
  name,
  fresh: createFifo(),
  low: createFifo(),
  backingOff: new Set(),
  probes: createFifo(),
  inFlight: 0,
  open: 0,
  failures: 0,
  closedUntil: undefined,
})

export const isClosed = (subqueue: Subqueue): boolean => subqueue.closedUntil !== undefined

/**
 * Records a failed attempt. Closes the subqueue after too many, so that a sink that is down costs one attempt per
 * interval, not one per waiting object.
 */
export const noteFailure = (subqueue: Subqueue, now: Timestamp, afterMs: number): void => {
  subqueue.failures++
  if (subqueue.failures >= failuresToClose) subqueue.closedUntil = now + Math.min(afterMs, longestClosingMs)
}

/** `closedUntil` of a subqueue that may be probed as soon as the pace allows. */
const atOnce = 0

/** Returns the time at which a closed subqueue may be probed; `paceAt` is the next probe of all subqueues. */
export const probeAtOf = ({ closedUntil = atOnce }: Subqueue, paceAt: Timestamp): Timestamp =>
  closedUntil === atOnce ? atOnce : Math.max(closedUntil, paceAt)

/**
 * Records that the sink works again for another subqueue: this one may be probed at once, with any of the returned
 * keys.
 */
export const noteRecovery = (subqueue: Subqueue): readonly string[] => {
  if (subqueue.failures === 0) return []
  if (subqueue.closedUntil !== undefined) subqueue.closedUntil = atOnce
  return [...subqueue.backingOff]
}

/**
 * Records a successful attempt. Returns the keys that no longer have to wait: those that failed while it was closed.
 */
export const noteSuccess = (subqueue: Subqueue): readonly string[] => {
  const wasClosed = subqueue.closedUntil !== undefined
  subqueue.failures = 0
  subqueue.closedUntil = undefined
  return wasClosed ? [...subqueue.backingOff] : []
}

export const waitingIn = (subqueue: Subqueue): number =>
  subqueue.fresh.size + subqueue.low.size + subqueue.backingOff.size

/** First in, first out, each key once; any key can be deleted in constant time. */
export interface Fifo {
  /** Adds a key at the end; an existing key retains its place. */
  push(key: string): void
  /** Removes and returns the oldest key. */
  shift(): string | undefined
  delete(key: string): boolean
  readonly size: number
}

export const createFifo = (): Fifo => {
  const keys = new Set<string>()
  // One iterator continues through all additions and removals: a new one would walk over every removed slot.
  let oldest = keys.values()
  return {
    push: key => {
      keys.add(key)
    },
    shift: () => {
      let next = oldest.next()
      if (next.done && keys.size > 0) {
        oldest = keys.values()
        next = oldest.next()
      }
      if (next.done) return undefined
      keys.delete(next.value)
      return next.value
    },
    delete: key => keys.delete(key),
    get size() {
      return keys.size
    },
  }
}

/** One time for each key. The clock has a single timer, however many keys there are. */
export interface Timers {
  /** Sets or changes the key's time (ms since the epoch). */
  set(key: string, at: Timestamp): void
  clear(key: string): void
  /** Removes all keys, and accepts no more. */
  stop(): void
}

interface TimerSlot {
  readonly key: string
  readonly at: Timestamp
}

const soonestFirst = (one: TimerSlot, other: TimerSlot): number => one.at - other.at

/** Timers may fire a little early, and a server of time corrects a clock by less. */
const leastSetBackMs = 1_000

/** Calls `due` for each key at its time, soonest first; the key is removed before the call. */
export const createTimers = (clock: Clock, due: (key: string) => void): Timers => {
  const times = new Map<string, TimerSlot>()
  // A slot that differs from the one in `times` is stale; it is dropped when it reaches the top.
  let heap = new TinyQueue<TimerSlot>([], soonestFirst)
  let stopped = false
  let armed: { readonly at: Timestamp; readonly disarm: () => void } | undefined
  let seenAt = clock.now()

  /** Moves all times with a clock that was set back: they would wait for as long again. It is at least `least` now. */
  const noteClock = (least: Timestamp) => {
    seenAt = clock.now()
    const setBackMs = least - seenAt
    if (setBackMs < leastSetBackMs) return
    heap = new TinyQueue<TimerSlot>([], soonestFirst)
    for (const [key, { at }] of times) {
      const slot = { key, at: at - setBackMs }
      times.set(key, slot)
      heap.push(slot)
    }
  }

  const isStale = (slot: TimerSlot) => times.get(slot.key) !== slot

  const top = (): TimerSlot | undefined => {
    for (let slot = heap.peek(); slot !== undefined; slot = heap.peek()) {
      if (!isStale(slot)) return slot
      heap.pop()
    }
    return undefined
  }

  const arm = () => {
    const next = top()
    if (armed !== undefined && armed.at === next?.at) return
    armed?.disarm()
    armed =
      next === undefined
        ? undefined
        : { at: next.at, disarm: clock.after(Math.max(next.at - clock.now(), 0), fire) }
  }

  const fire = () => {
    noteClock(armed?.at ?? seenAt)
    armed = undefined
    for (let slot = top(); slot !== undefined && slot.at <= clock.now(); slot = top()) {
      heap.pop()
      times.delete(slot.key)
      due(slot.key)
    }
    arm()
  }

  return {
    set: (key, at) => {
      noteClock(seenAt)
      if (stopped || times.get(key)?.at === at) return
      const slot = { key, at }
      times.set(key, slot)
      if (heap.length > 2 * times.size + 64) {
        heap = new TinyQueue([...times.values()], soonestFirst)
      } else {
        heap.push(slot)
      }
      arm()
    },
    clear: key => {
      if (times.delete(key)) arm()
    },
    stop: () => {
      stopped = true
      times.clear()
      heap = new TinyQueue([], soonestFirst)
      arm()
    },
  }
}
