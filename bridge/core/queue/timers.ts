import TinyQueue from 'tinyqueue'
import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'

/** One time for each key. The clock has a single timer, however many keys there are. */
export interface Timers {
  /** Sets or changes the key's time (ms since the epoch). */
  set(key: string, at: Timestamp): void
  clear(key: string): void
  /** Removes all keys, and accepts no more. */
  stop(): void
  readonly size: number
}

interface TimerSlot {
  readonly key: string
  readonly at: Timestamp
}

const soonestFirst = (one: TimerSlot, other: TimerSlot): number => one.at - other.at

/** Calls `due` for each key at its time, soonest first; the key is removed before the call. */
export const createTimers = (clock: Clock, due: (key: string) => void): Timers => {
  const times = new Map<string, TimerSlot>()
  // A slot that differs from the one in `times` is stale; it is dropped when it reaches the top.
  let heap = new TinyQueue<TimerSlot>([], soonestFirst)
  let stopped = false
  let armed: { readonly at: Timestamp; readonly disarm: () => void } | undefined

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
    get size() {
      return times.size
    },
  }
}
