/** Bounds how many calls to a host are under way at once. */
export interface CallSlots {
  /**
   * Resolves with a function that frees the slot; freeing it again does nothing. Rejects with the signal's reason when
   * it aborts.
   *
   * A free slot goes to the step that called first. All calls of a step have one signal, so a step that has begun ends
   * before others begin. By arrival alone, a whole crowd of steps would reach its deadline half done, again and again.
   */
  take(host: string, signal: AbortSignal | undefined): Promise<() => void>
}

interface WaitingCall {
  readonly rank: number
  readonly start: () => void
}

interface HostCalls {
  running: number
  /** By rank, then by arrival. */
  readonly waiting: WaitingCall[]
}

/** `limit`: calls per host at once. */
export const createCallSlots = (limit: number): CallSlots => {
  const hosts = new Map<string, HostCalls>()
  const rankOf = createRanks()

  const startNext = (host: string): void => {
    const calls = hosts.get(host)
    if (calls === undefined || calls.running === limit) return
    const next = calls.waiting.shift()
    if (next !== undefined) {
      calls.running++
      next.start()
    } else if (calls.running === 0) hosts.delete(host)
  }

  const releaseOnce = (host: string, calls: HostCalls): (() => void) => {
    let held = true
    return () => {
      if (!held) return
      held = false
      calls.running--
      startNext(host)
    }
  }

  return {
    take: (host, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const calls = hosts.get(host) ?? { running: 0, waiting: [] }
        hosts.set(host, calls)
        const rank = rankOf(signal)
        const leave = () => {
          calls.waiting.splice(calls.waiting.indexOf(call), 1)
          reject(signal?.reason)
        }
        const call: WaitingCall = {
          rank,
          start: () => {
            signal?.removeEventListener('abort', leave)
            resolve(releaseOnce(host, calls))
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        const later = calls.waiting.findIndex(other => other.rank > rank)
        calls.waiting.splice(later === -1 ? calls.waiting.length : later, 0, call)
        startNext(host)
      }),
  }
}

/** Numbers signals in the order in which they are first seen. A call without a signal gets a number of its own. */
const createRanks = (): ((signal: AbortSignal | undefined) => number) => {
  const ranks = new WeakMap<AbortSignal, number>()
  let last = 0
  return signal => {
    const known = signal && ranks.get(signal)
    if (known !== undefined) return known
    last++
    if (signal !== undefined) ranks.set(signal, last)
    return last
  }
}
