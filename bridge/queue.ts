import type { Clock, Timestamp } from '../shared/clock/clock.ts'
import { createLane, isOpen, type Lane, noteFailure, noteSuccess, waitingIn } from './lane.ts'
import { createTimers } from './timers.ts'

/** `low`: what was there at start; comes after everything fresh, and at a bounded rate. */
export type Priority = 'fresh' | 'low'

/** What came of the work on a key. Whatever was asked for the key meanwhile comes before it. */
export type WorkResult =
  /** Nothing more to do for it. `answered`: the sink was asked, and is well. */
  | { readonly kind: 'finished'; readonly answered: boolean }
  /** Work on it again at that time. */
  | { readonly kind: 'again'; readonly at: Timestamp; readonly answered: boolean }
  /** The sink did not take it: again after a backoff, or after that many ms if that is longer. */
  | { readonly kind: 'failed'; readonly afterMs?: number | undefined }

export interface QueueOptions {
  readonly clock: Clock
  /** Lanes share the places fairly; each key belongs to one. */
  readonly lanes: readonly string[]
  /** Most keys being worked on at the same time. */
  readonly concurrency: number
  /** Most `low` keys started in a second. */
  readonly lowPerSecond: number
  /** A rejection counts as `failed`. */
  readonly work: (key: string, signal: AbortSignal) => Promise<WorkResult>
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

export type ItemState = 'ready' | 'in flight' | 'backing off' | 'timed'

/** How a key stands in the queue. */
export interface QueueItem {
  readonly key: string
  readonly lane: string
  readonly state: ItemState
  readonly priority: Priority
  /** Since when it wants to be worked on; for a timed one, since when it waits. */
  readonly since: Timestamp
  /** When its wait is over, for `backing off` and `timed`. */
  readonly at: Timestamp | undefined
  /** Failed tries in a row. */
  readonly failures: number
}

/**
 * Keys that want to be worked on. A key is in it once, and is never worked on twice at the same time; what is asked for
 * it while it is worked on happens afterwards, once. So it never holds more than there are keys.
 */
export interface Queue {
  /** As soon as possible. A key that backs off keeps backing off: the sink is no better for a newer change. */
  add(key: string, lane: string, priority: Priority): void
  /** Not before that time; takes back an `add` that has not started. */
  addAt(key: string, lane: string, at: Timestamp): void
  /** Not at all. Work in flight goes on, its result is ignored. */
  forget(key: string): void
  item(key: string): QueueItem | undefined
  items(): IterableIterator<QueueItem>
  /** Keys that wait for a place or for the sink, and keys in flight. */
  counts(lane: string): { readonly waiting: number; readonly inFlight: number }
  /** Works until the signal aborts; then lets what is in flight end within `drainMs`, and resolves. Call it once. */
  run(signal: AbortSignal): Promise<void>
}

interface Item {
  readonly key: string
  readonly lane: Lane
  state: ItemState
  priority: Priority
  since: Timestamp
  at: Timestamp | undefined
  failures: number
  /** What was asked for while it was in flight. */
  next: 'nothing' | 'ready' | 'timed' | 'forget'
}

const firstBackoffMs = 250
const longestBackoffMs = 30_000
const drainMs = 1_000

export const createQueue = (options: QueueOptions): Queue => {
  const { clock, concurrency, lowPerSecond, work, random = Math.random } = options
  const lanes = options.lanes.map(createLane)
  const laneOf = new Map(lanes.map(lane => [lane.name, lane]))
  const items = new Map<string, Item>()
  const flights = new Set<Promise<void>>()
  /** Aborts what is in flight at the end of a shutdown. */
  const hard = new AbortController()
  let running = false
  let inFlight = 0
  let turn = 0
  let nextLowAt = 0
  let pumping = false

  const timers = createTimers(clock, key => {
    const item = items.get(key)
    if (item === undefined) return pump()
    if (item.state !== 'timed' && item.state !== 'backing off') return
    makeReady(item, item.state === 'timed' ? clock.now() : item.since)
    pump()
  })
  /** Keys of `timers` that only wake the pump; no object has such a name. */
  const wakeLow = '\0low'
  const wakeLane = (lane: Lane) => `\0lane ${lane.name}`

  const leave = (item: Item) => {
    item.lane.fresh.delete(item.key)
    item.lane.low.delete(item.key)
    item.lane.backingOff.delete(item.key)
    if (item.at !== undefined) timers.clear(item.key)
    item.at = undefined
  }

  const makeReady = (item: Item, since: Timestamp) => {
    leave(item)
    item.state = 'ready'
    item.since = since
    item.lane[item.priority].push(item.key)
  }

  const makeTimed = (item: Item, at: Timestamp) => {
    leave(item)
    item.state = 'timed'
    // What has waited for its time is as fresh as a change.
    item.priority = 'fresh'
    item.since = clock.now()
    item.at = at
    item.failures = 0
    timers.set(item.key, at)
  }

  const makeBackOff = (item: Item, afterMs: number) => {
    leave(item)
    const backoff = Math.min(firstBackoffMs * 2 ** item.failures, longestBackoffMs) * (0.5 + random() / 2)
    item.failures++
    item.state = 'backing off'
    item.at = clock.now() + Math.max(backoff, afterMs)
    item.lane.backingOff.add(item.key)
    timers.set(item.key, item.at)
  }

  /** Places that `lane` leaves free for lanes with nothing in flight, so that a slow one never delays another. */
  const reserved = (lane: Lane) => {
    if (lane.inFlight === 0) return 0
    let idle = 0
    for (const other of lanes) if (other.inFlight === 0) idle++
    return Math.min(idle, Math.floor(concurrency / 2))
  }

  const mayStart = (lane: Lane) => isOpen(lane, clock.now()) && concurrency - inFlight > reserved(lane)

  const take = (priority: Priority): string | undefined => {
    for (let step = 0; step < lanes.length; step++) {
      const lane = lanes[(turn + step) % lanes.length]
      if (lane === undefined || lane[priority].size === 0 || !mayStart(lane)) continue
      turn = (turn + step + 1) % lanes.length
      return lane[priority].shift()
    }
    return undefined
  }

  const takeLow = (): string | undefined => {
    const now = clock.now()
    if (nextLowAt > now) {
      if (lanes.some(lane => lane.low.size > 0)) timers.set(wakeLow, nextLowAt)
      return undefined
    }
    const key = take('low')
    if (key !== undefined) nextLowAt = Math.max(nextLowAt, now - 100) + 1000 / lowPerSecond
    return key
  }

  const pump = () => {
    // Work that is started may add keys at once; the loop that runs already sees them.
    if (pumping || !running) return
    pumping = true
    while (inFlight < concurrency) {
      const key = take('fresh') ?? takeLow()
      if (key === undefined) break
      const item = items.get(key)
      if (item !== undefined) start(item)
    }
    pumping = false
  }

  const start = (item: Item) => {
    item.state = 'in flight'
    item.next = 'nothing'
    item.lane.inFlight++
    inFlight++
    const flight = work(item.key, hard.signal).then(
      result => land(item, result),
      () => land(item, { kind: 'failed' }),
    )
    flights.add(flight)
    void flight.finally(() => flights.delete(flight))
  }

  const land = (item: Item, result: WorkResult) => {
    const { lane } = item
    lane.inFlight--
    inFlight--
    if (result.kind === 'failed') {
      const opensAt = noteFailure(lane, clock.now())
      if (opensAt !== undefined) timers.set(wakeLane(lane), opensAt)
    } else {
      if (result.answered) release(lane)
      item.failures = 0
    }
    settle(item, result)
    pump()
  }

  const settle = (item: Item, result: WorkResult) => {
    if (item.next === 'forget') items.delete(item.key)
    else if (item.next === 'timed' && item.at !== undefined) makeTimed(item, item.at)
    else if (result.kind === 'failed') makeBackOff(item, result.afterMs ?? 0)
    else if (item.next === 'ready') makeReady(item, item.since)
    else if (result.kind === 'again') makeTimed(item, result.at)
    else items.delete(item.key)
  }

  const release = (lane: Lane) => {
    timers.clear(wakeLane(lane))
    for (const key of noteSuccess(lane)) {
      const item = items.get(key)
      if (item !== undefined) makeReady(item, item.since)
    }
  }

  const itemOf = (key: string, laneName: string): Item => {
    const known = items.get(key)
    if (known !== undefined) return known
    const lane = laneOf.get(laneName)
    if (lane === undefined) throw new Error(`no lane ${laneName}`)
    const item: Item = {
      key,
      lane,
      state: 'timed',
      priority: 'low',
      since: clock.now(),
      at: undefined,
      failures: 0,
      next: 'nothing',
    }
    items.set(key, item)
    return item
  }

  const viewOf = ({ key, lane, state, priority, since, at, failures }: Item): QueueItem => ({
    key,
    lane: lane.name,
    state,
    priority,
    since,
    at,
    failures,
  })

  return {
    add: (key, laneName, priority) => {
      const isNew = !items.has(key)
      const item = itemOf(key, laneName)
      const raised = priority === 'fresh' && item.priority === 'low'
      switch (item.state) {
        case 'in flight':
          if (item.next === 'ready' && !raised) return
          if (item.next !== 'ready') item.since = clock.now()
          item.next = 'ready'
          item.at = undefined
          item.priority = priority
          return
        case 'backing off':
          if (raised) item.priority = 'fresh'
          return
        case 'ready':
          if (!raised) return
          item.priority = 'fresh'
          makeReady(item, item.since)
          break
        case 'timed':
          if (isNew || raised) item.priority = priority
          makeReady(item, clock.now())
      }
      pump()
    },
    addAt: (key, laneName, at) => {
      const item = itemOf(key, laneName)
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
    item: key => {
      const item = items.get(key)
      return item === undefined ? undefined : viewOf(item)
    },
    items: function* () {
      for (const item of items.values()) yield viewOf(item)
    },
    counts: name => {
      const lane = laneOf.get(name)
      return { waiting: lane === undefined ? 0 : waitingIn(lane), inFlight: lane?.inFlight ?? 0 }
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
    },
  }
}
