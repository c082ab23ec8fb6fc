import type { Clock } from '../../shared/clock/clock.ts'

/** Keys of objects with work. A key is never processed twice at the same time, however often it is added. */
export interface WorkQueue {
  add(key: string): void
  /** Adds the key after a delay. The shortest of several delays counts. */
  addAfter(key: string, milliseconds: number): void
  /** Resolves when no work is running. After the signal aborts, no work starts. */
  idle(): Promise<void>
}

export interface WorkQueueOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Processes a key. Returns the delay until the next run, in milliseconds. */
  readonly reconcile: (key: string) => Promise<number | undefined>
  /** Called when `reconcile` rejects. Returns the delay until the retry, in milliseconds. */
  readonly failed: (key: string, error: unknown) => number
}

export const createWorkQueue = ({ clock, signal, reconcile, failed }: WorkQueueOptions): WorkQueue => {
  const underWay = new Map<string, Promise<void>>()
  const again = new Set<string>()
  const timers = new Map<string, { readonly at: number; readonly cancel: () => void }>()
  signal.addEventListener('abort', () => {
    for (const { cancel } of timers.values()) cancel()
    timers.clear()
  })

  const work = async (key: string): Promise<void> => {
    // Lets the caller that added the key finish.
    await Promise.resolve()
    do {
      again.delete(key)
      if (signal.aborted) return
      const after = await reconcile(key).catch(error => (signal.aborted ? undefined : failed(key, error)))
      if (after !== undefined) addAfter(key, after)
    } while (again.has(key))
  }

  const add = (key: string): void => {
    if (signal.aborted) return
    if (underWay.has(key)) {
      again.add(key)
      return
    }
    const working = work(key).finally(() => {
      underWay.delete(key)
      if (again.delete(key)) add(key)
    })
    underWay.set(key, working)
  }

  const addAfter = (key: string, milliseconds: number): void => {
    if (signal.aborted) return
    const at = clock.now() + milliseconds
    const known = timers.get(key)
    if (known !== undefined && known.at <= at) return
    known?.cancel()
    const cancel = clock.after(milliseconds, () => {
      timers.delete(key)
      add(key)
    })
    timers.set(key, { at, cancel })
  }

  return {
    add,
    addAfter,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values())
    },
  }
}
