/** Limits the number of concurrent calls to a host. */
export interface CallSlots {
  /**
   * Resolves with a function that frees the slot. A second call of that function does nothing. Rejects with the
   * signal's reason when the signal aborts.
   *
   * A free slot goes to the step that called first. All calls of a step share one signal, so a started step finishes
   * before others start. In plain order of arrival, many concurrent steps would all reach their deadline half done.
   */
  take(host: string, signal: AbortSignal | undefined): Promise<() => void>
}

interface WaitingCall {
  readonly rank: number
  readonly start: () => void
}

interface HostCalls {
  running: number
  /** Sorted by rank, then by arrival. */
  readonly waiting: WaitingCall[]
}

/** @param limit concurrent calls per host */
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

/** Numbers signals in the order of their first call. A call without a signal gets its own number. */
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
