import type { Transport } from '../../shared/kubernetes/kubernetes.ts'
import { ConnectionError } from '../../shared/kubernetes/kubernetes.ts'
import type { Faults } from './faults.ts'
import type { ApiRequest, ApiResponse } from './requests/api-request.ts'

/** Sends requests by function calls, with the errors of a socket. */
export const inProcessTransport =
  (handle: (request: ApiRequest) => Promise<ApiResponse>, faults: Faults): Transport =>
  async request => {
    const { signal } = request
    signal?.throwIfAborted()
    const failed = (cause: unknown): unknown =>
      signal?.aborted
        ? signal.reason
        : new ConnectionError(`${request.method} ${request.path}: connection reset`, { cause, sent: true })
    const aborted = rejectOnAbort(signal)
    try {
      const response = await Promise.race([handle(request), aborted.promise])
      return { ...response, body: chunksOf(response.body, signal, faults, failed) }
    } catch (error) {
      throw failed(error)
    } finally {
      aborted.release()
    }
  }

/** Returns a promise that rejects when the signal aborts and otherwise stays pending. */
const rejectOnAbort = (
  signal: AbortSignal | undefined,
): { readonly promise: Promise<never>; readonly release: () => void } => {
  let stop = () => {}
  const promise = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
  })
  promise.catch(() => {})
  return { promise, release: () => signal?.removeEventListener('abort', stop) }
}

async function* chunksOf(
  body: ApiResponse['body'],
  signal: AbortSignal | undefined,
  faults: Faults,
  failed: (cause: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  if (typeof body === 'string') {
    yield encoder.encode(body)
    return
  }
  if (body instanceof Uint8Array) {
    yield body
    return
  }
  const lines = body[Symbol.asyncIterator]()
  const aborted = rejectOnAbort(signal)
  try {
    signal?.throwIfAborted()
    for (;;) {
      const next = await Promise.race([lines.next(), aborted.promise])
      await Promise.race([faults.whileFrozen(), aborted.promise])
      if (next.done) return
      yield encoder.encode(next.value)
    }
  } catch (error) {
    throw failed(error)
  } finally {
    aborted.release()
    await lines.return?.()
  }
}
