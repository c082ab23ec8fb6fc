import { type Dispatcher, request } from 'undici'
import type { Clock } from '../clock/clock.ts'
import type { HttpHeaders, HttpMessage } from './cloud-event.ts'

export interface PostOptions {
  /** Absent: the global one of undici. */
  readonly agent?: Dispatcher | undefined
  /** For the whole exchange, connecting and reading the answer included. */
  readonly timeoutMs: number
  readonly clock: Clock
}

export interface PostAnswer {
  readonly status: number
  readonly headers: HttpHeaders
  /** The first MiB at most. */
  readonly body: Uint8Array
}

/** No (complete) answer came within the time. The receiver may have acted. */
export class PostTimeoutError extends Error {
  override readonly name = 'PostTimeoutError'
}

const answerLimit = 1024 * 1024

/**
 * POSTs a message once, follows no redirect and never retries. Throws the signal's reason when it aborts,
 * `PostTimeoutError` on a timeout, and undici's or Node's error when the connection fails.
 */
export const createPost =
  ({ agent, timeoutMs, clock }: PostOptions) =>
  async (url: string, message: HttpMessage, signal: AbortSignal): Promise<PostAnswer> => {
    signal.throwIfAborted()
    const timeout = new AbortController()
    const cancel = clock.after(timeoutMs, () =>
      timeout.abort(new PostTimeoutError(`no answer within ${timeoutMs} ms`)),
    )
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { ...message.headers },
        body: message.body,
        signal: AbortSignal.any([signal, timeout.signal]),
        // The one timeout above covers these two, on the injected clock.
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(agent === undefined ? {} : { dispatcher: agent }),
      })
      const chunks: Uint8Array[] = []
      let length = 0
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        chunks.push(chunk)
        length += chunk.length
        if (length > answerLimit) break
      }
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: Buffer.concat(chunks).subarray(0, answerLimit),
      }
    } catch (error) {
      signal.throwIfAborted()
      throw timeout.signal.aborted ? timeout.signal.reason : error
    } finally {
      cancel()
    }
  }
