import type { Clock } from '../../../shared/clock/clock.ts'
import {
  type HttpMessage,
  type Post,
  type PostAnswer,
  PostTimeoutError,
} from '../../../shared/events/events.ts'

/** A server in this process. Rejects if its connection breaks. */
export type AnswerPost = (url: string, message: HttpMessage, gone: AbortSignal) => Promise<PostAnswer>

/** Returns a way to a server with the promises of `createPost`: a timeout, and an end with the signal. */
export const simulatedPost =
  ({
    clock,
    timeoutMs,
    answer,
  }: {
    readonly clock: Clock
    readonly timeoutMs: number
    readonly answer: AnswerPost
  }): Post =>
  async (url, message, signal) => {
    signal.throwIfAborted()
    const gone = new AbortController()
    const ended = Promise.withResolvers<never>()
    const end = (reason: unknown): void => {
      gone.abort(reason)
      ended.reject(reason)
    }
    const follow = () => end(signal.reason)
    signal.addEventListener('abort', follow, { once: true })
    const cancel = clock.after(timeoutMs, () => end(new PostTimeoutError(`no answer within ${timeoutMs} ms`)))
    try {
      return await Promise.race([answer(url, message, gone.signal), ended.promise])
    } finally {
      cancel()
      signal.removeEventListener('abort', follow)
    }
  }

/** The error of a connection to a process that does not listen. */
export const refusedConnection = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** The error of a connection whose other side has ended. */
export const brokenConnection = (): Error =>
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
