import type { Clock, Timestamp } from '../clock/clock.ts'
import type { ItemState, Priority, Queue, QueueOptions, WorkResult } from './queue-types.ts'
import {
  createScheduler,
  createSubqueue,
  createTimers,
  isClosed,
  noteFailure,
  noteRecovery,
  noteSuccess,
  type Subqueue,
  waitingIn,
} from './scheduler.ts'

const drainMs = 1_000

/** Creates a queue; no work starts before `run`. */
export const createQueue = (options: QueueOptions): Queue => {
  const { clock, concurrency, lowPerSecond, work, mayStart = () => true, random = Math.random } = options
  const subqueues = options.subqueues.map(createSubqueue)
  const scheduler = createScheduler({ subqueues, concurrency, lowPerSecond, clock, random })
  const subqueueOf = new Map(subqueues.map(subqueue => [subqueue.name, subqueue]))
  const flights = new Set<Promise<void>>()
  /** Aborts work in flight at the end of a shutdown. */
  const hard = new AbortController()
  let running = false
  let pumping = false
  /** The number of times that the sink has accepted something. */
  let accepted = 0
  const timers = createTimers(clock, key => {
    const item = items.get(key)
    if (item === undefined) return pump()
    if (item.state !== 'timed' && item.state !== 'backing off') return
    makeReady(item)
    pump()
  })
  const { items, itemOf, leave, makeReady, makeTimed, makeBackOff } = createHeldItems({
    clock,
    random,
    timers,
    subqueueOf,
    accepted: () => accepted,
  })
  /** A key of `timers` that only wakes the pump; no object has such a name. */
  const wakeKey = '\0'

  const pump = () => {
    // Started work may add keys at once; the running loop sees them.
    if (pumping || !running) return
    pumping = true
    while (mayStart()) {
      const key = scheduler.next()
      if (key === undefined) break
      const item = items.get(key)
      if (item !== undefined) start(item)
    }
    pumping = false
    if (!mayStart()) return
    const wakeAt = scheduler.wakeAt()
    if (wakeAt !== undefined) timers.set(wakeKey, wakeAt)
  }

  const start = (item: HeldItem) => {
    leave(item)
    item.state = 'in flight'
    item.next = 'nothing'
    item.isRequestedAgain = false
    item.subqueue.inFlight++
    const flight = work(item.key, hard.signal).then(
      result => land(item, result),
      () => land(item, { kind: 'failed' }),
    )
    flights.add(flight)
    void flight.finally(() => flights.delete(flight))
  }

  const land = (item: HeldItem, result: WorkResult) => {
    const { subqueue } = item
    subqueue.inFlight--
    if (result.kind === 'failed') noteFailure(subqueue, clock.now(), result.afterMs ?? 0)
    else {
      if (result.open !== undefined) leaveOpen(subqueue, result.open)
      if (result.answered) release(subqueue)
      item.failures = 0
    }
    finish(item, result)
    pump()
  }

  const leaveOpen = (subqueue: Subqueue, open: Promise<void>) => {
    subqueue.open++
    void open.finally(() => {
      subqueue.open--
      pump()
    })
  }

  const finish = (item: HeldItem, result: WorkResult) => {
    if (item.next === 'forget') items.delete(item.key)
    else if (item.next === 'timed' && item.at !== undefined) makeTimed(item, item.at)
    else if (result.kind === 'failed') makeBackOff(item, item.isRequestedAgain ? 0 : (result.afterMs ?? 0))
    else if (item.next === 'ready') makeReady(item)
    else if (result.kind === 'again') makeTimed(item, result.at)
    else items.delete(item.key)
  }

  const release = (subqueue: Subqueue) => {
    accepted++
    const wasClosed = isClosed(subqueue)
    wakeAll(noteSuccess(subqueue))
    if (!wasClosed) return
    // All subqueues share one sink, so the recovery of one ends the wait of the others.
    for (const other of subqueues) if (other !== subqueue) wakeAll(noteRecovery(other))
  }

  const wakeAll = (keys: readonly string[]) => {
    for (const key of keys) {
      const item = items.get(key)
      if (item !== undefined) makeReady(item)
    }
  }

  return {
    add: (key, subqueueName, priority, isRequestedAgain = false) => {
      const item = itemOf(key, subqueueName)
      const raised = priority === 'fresh' && item.priority === 'low'
      if (raised) item.priority = 'fresh'
      switch (item.state) {
        case 'in flight':
          item.isRequestedAgain ||= isRequestedAgain
          item.next = 'ready'
          item.at = undefined
          return
        case 'backing off':
          if (!isRequestedAgain || !item.hasRetryAfter) return
          break
        case 'ready':
          if (!raised) return
          break
        case 'timed':
      }
      makeReady(item)
      pump()
    },
    addAt: (key, subqueueName, at) => {
      const item = itemOf(key, subqueueName)
      if (item.state === 'in flight') {
        item.next = 'timed'
        item.at = at
      } else {
        makeTimed(item, at)
      }
    },
    forget: key => {
      const item = items.get(key)
      if (item === undefined) return
      if (item.state === 'in flight') {
        item.next = 'forget'
        return
      }
      leave(item)
      items.delete(key)
    },
    wake: pump,
    works: name => {
      const subqueue = subqueueOf.get(name)
      if (subqueue !== undefined) release(subqueue)
      pump()
    },
    item: key => items.get(key),
    get size() {
      return items.size
    },
    counts: name => {
      const subqueue = subqueueOf.get(name)
      return {
        waiting: subqueue === undefined ? 0 : waitingIn(subqueue),
        inFlight: subqueue?.inFlight ?? 0,
        open: subqueue?.open ?? 0,
      }
    },
    run: async signal => {
      if (signal.aborted) return
      running = true
      pump()
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
      running = false
      timers.stop()
      const disarm = clock.after(drainMs, () => hard.abort(signal.reason))
      await Promise.allSettled(flights)
      disarm()
      hard.abort(signal.reason)
    },
  }
}

/** A key of the queue. */
interface HeldItem {
  readonly key: string
  readonly subqueue: Subqueue
  state: ItemState
  priority: Priority
  at: Timestamp | undefined
  failures: number
  /** The number of events that the sink had accepted at the first of the consecutive failures. */
  acceptedBefore: number
  /** True if the sink has sent a Retry-After. */
  hasRetryAfter: boolean
  /** True if something else was requested while it was in flight. */
  isRequestedAgain: boolean
  /** The request that arrived while it was in flight. */
  next: 'nothing' | 'ready' | 'timed' | 'forget'
}

const firstBackoffMs = 250
const longestBackoffMs = 30_000

interface HeldItemsOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly timers: ReturnType<typeof createTimers>
  /** The subqueues by name. */
  readonly subqueueOf: ReadonlyMap<string, Subqueue>
  /** Returns the number of times that the sink has accepted something. */
  readonly accepted: () => number
}

/** Holds the keys of a queue, and moves each of them between its states. */
const createHeldItems = ({ clock, random, timers, subqueueOf, accepted }: HeldItemsOptions) => {
  const items = new Map<string, HeldItem>()

  const leave = (item: HeldItem) => {
    item.subqueue.fresh.delete(item.key)
    item.subqueue.low.delete(item.key)
    item.subqueue.backingOff.delete(item.key)
    item.subqueue.probes.delete(item.key)
    if (item.at !== undefined) timers.clear(item.key)
    item.at = undefined
  }

  const makeReady = (item: HeldItem) => {
    leave(item)
    item.state = 'ready'
    item.subqueue[item.priority].push(item.key)
  }

  const makeTimed = (item: HeldItem, at: Timestamp) => {
    leave(item)
    item.state = 'timed'
    // A key that has waited for its time is as fresh as a change.
    item.priority = 'fresh'
    item.at = at
    item.failures = 0
    timers.set(item.key, at)
  }

  const makeBackOff = (item: HeldItem, afterMs: number) => {
    leave(item)
    const backoff = Math.min(firstBackoffMs * 2 ** item.failures, longestBackoffMs) * (0.5 + random() / 2)
    if (item.failures++ === 0) item.acceptedBefore = accepted()
    item.state = 'backing off'
    item.at = clock.now() + Math.max(backoff, afterMs)
    item.hasRetryAfter = afterMs > 0
    item.subqueue.backingOff.add(item.key)
    // If others were accepted meanwhile, the failure concerns only this key and cannot show if the sink is back.
    if (!item.hasRetryAfter && item.acceptedBefore === accepted()) item.subqueue.probes.push(item.key)
    timers.set(item.key, item.at)
  }

  const itemOf = (key: string, subqueueName: string): HeldItem => {
    const known = items.get(key)
    if (known !== undefined) return known
    const subqueue = subqueueOf.get(subqueueName)
    if (subqueue === undefined) throw new Error(`no subqueue ${subqueueName}`)
    const item: HeldItem = {
      key,
      subqueue,
      state: 'timed',
      priority: 'low',
      at: undefined,
      failures: 0,
      acceptedBefore: 0,
      hasRetryAfter: false,
      isRequestedAgain: false,
      next: 'nothing',
    }
    items.set(key, item)
    return item
  }

  return { items, itemOf, leave, makeReady, makeTimed, makeBackOff }
}
