import type { Clock } from '../../clock/clock.ts'

/** The stream said nothing for too long. */
export class IdleStreamError extends Error {
  override readonly name = 'IdleStreamError'
}

/**
 * Reads a stream item by item, in a way that can always be ended: throws `IdleStreamError` when nothing comes for
 * `idleMs`, and the signal's reason when it aborts, also when the stream itself never settles again. The signal that
 * `open` gets is aborted at the end, whatever that is, so that the connection is not left behind.
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
  // One timer that looks back, instead of one set anew for each item of a busy stream.
  const check = () => {
    const left = heard + idleMs - clock.now()
    if (left > 0) disarm = clock.after(left, check)
    else end(new IdleStreamError(`nothing came for ${Math.round(idleMs / 1000)} s`))
  }
  let disarm = clock.after(idleMs, check)

  let iterator: AsyncIterator<T> | undefined
  try {
    const stream = open(own.signal)[Symbol.asyncIterator]()
    iterator = stream
    // A function of its own: one that waits for the next item would hold the last one until then.
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
    // Not awaited: a stuck stream would not answer.
    iterator?.return?.().catch(() => undefined)
  }
}
