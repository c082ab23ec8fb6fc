import type { Clock } from '../../../shared/clock/clock.ts'
import { ActionTimeout } from '../error-kind.ts'

/** Runs a call that is to end within `limitMs`; then its signal aborts, and nobody waits for it any more. */
export const withinLimit = async <T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  limitMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted()
  const limit = new AbortController()
  const cancel = clock.after(limitMs, () => limit.abort(new ActionTimeout(`no answer within ${limitMs} ms`)))
  const both = AbortSignal.any([signal, limit.signal])
  try {
    return await Promise.race([
      call(both),
      new Promise<never>((_, reject) => {
        both.addEventListener('abort', () => reject(both.reason), { once: true })
      }),
    ])
  } finally {
    cancel()
  }
}
