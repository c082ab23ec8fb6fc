/** Limits the number of concurrent runs. The others wait in order, as in Knative's activator. */
export interface Limiter {
  /** Rejects with the signal's reason if it aborts while waiting. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** `capacity` 0: no limit. */
export const createLimiter = (capacity: number): Limiter => {
  let running = 0
  const waiting: (() => void)[] = []

  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    if (capacity === 0 || running < capacity) {
      running++
      return undefined
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(signal.reason)
      }
      waiting.push(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  const exit = (): void => {
    const next = waiting.shift()
    // The next one takes over the place, so `running` does not change.
    if (next) next()
    else running--
  }

  return {
    run: async (work, signal) => {
      signal.throwIfAborted()
      await enter(signal)
      try {
        return await work()
      } finally {
        exit()
      }
    },
  }
}
