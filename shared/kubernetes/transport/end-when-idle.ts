import type { Clock } from '../../clock/clock.ts'

/** The stream was silent for too long. */
export class IdleStreamError extends Error {
  override readonly name = 'IdleStreamError'
}

/**
 * Reads a stream item by item and always ends: throws `IdleStreamError` after `idleMs` without an item, and the
 * signal's reason when it aborts, even if the stream itself hangs. The signal of `open` is always aborted at the end,
 * so that no connection is left open.
 */
export const endWhenIdle = async <T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  each: (item: T) => void,
  options: { readonly clock: Clock; readonly idleMs: number; readonly signal: AbortSignal },
): Promise<void> => {
  const { clock, idleMs, signal } = options
  signal.throwIfAborted()
  const own = new AbortController()
  let interrupt: (reason: unknown) => void = () => undefined
  const end = (reason: unknown) => {
    own.abort(reason)
    interrupt(reason)
  }
  const abort = () => end(signal.reason)
  signal.addEventListener('abort', abort, { once: true })

  let heard = clock.now()
  // One timer that checks the last item, instead of a new timer per item of a busy stream.
  const check = () => {
    const left = heard + idleMs - clock.now()
    if (left > 0) disarm = clock.after(left, check)
    else end(new IdleStreamError(`no data for ${Math.round(idleMs / 1000)} s`))
  }
  let disarm = clock.after(idleMs, check)

  let iterator: AsyncIterator<T> | undefined
  try {
    const stream = open(own.signal)[Symbol.asyncIterator]()
    iterator = stream
    // A separate function: otherwise the wait for the next item would retain the last one.
    const readOne = async (): Promise<boolean> => {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        interrupt = reject
        if (own.signal.aborted) return reject(own.signal.reason)
        stream.next().then(resolve, reject)
      })
      if (next.done) return false
      heard = clock.now()
      each(next.value)
      return true
    }
    while (await readOne());
  } finally {
    disarm()
    signal.removeEventListener('abort', abort)
    own.abort()
    // Not awaited, because a stuck stream never resolves.
    iterator?.return?.().catch(() => undefined)
  }
}
