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

/** Calls `due` for each key at its time, soonest first; the key is removed before the call. */
export const createTimers = (clock: Clock, due: (key: string) => void): Timers => {
  const times = new Map<string, TimerSlot>()
  // A slot that differs from the one in `times` is stale; it is dropped when it reaches the top.
  let heap: TimerSlot[] = []
  let stopped = false
  let armed: { readonly at: Timestamp; readonly disarm: () => void } | undefined

  const isStale = (slot: TimerSlot) => times.get(slot.key) !== slot

  const top = (): TimerSlot | undefined => {
    for (let slot = heap[0]; slot !== undefined; slot = heap[0]) {
      if (!isStale(slot)) return slot
      removeTop(heap)
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
      removeTop(heap)
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
        heap = [...times.values()].sort((a, b) => a.at - b.at)
      } else {
        insert(heap, slot)
      }
      arm()
    },
    clear: key => {
      if (times.delete(key)) arm()
    },
    stop: () => {
      stopped = true
      times.clear()
      heap = []
      arm()
    },
    get size() {
      return times.size
    },
  }
}

const insert = (heap: TimerSlot[], slot: TimerSlot): void => {
  let index = heap.length
  heap.push(slot)
  while (index > 0) {
    const parent = (index - 1) >> 1
    const above = heap[parent]
    if (above === undefined || above.at <= slot.at) break
    heap[index] = above
    index = parent
  }
  heap[index] = slot
}

const removeTop = (heap: TimerSlot[]): void => {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    let below = heap[child]
    if (below === undefined) break
    const right = heap[child + 1]
    if (right !== undefined && right.at < below.at) {
      child++
      below = right
    }
    if (below.at >= last.at) break
    heap[index] = below
    index = child
  }
  heap[index] = last
}
