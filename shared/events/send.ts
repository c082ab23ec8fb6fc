import http from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { Clock, Timestamp } from '../clock/clock.ts'
import { codeOf, messageOf } from '../text/message-of.ts'
import type { ExtensionEvent } from './event.ts'
import type { HttpHeaders } from './read-event.ts'
import type { HttpMessage } from './write-event.ts'
import { type ContentMode, eventMessage } from './write-event.ts'

export interface SenderOptions {
  /** URL of the broker's ingress, the destination of events. */
  readonly sink: string
  /** Agent for the sink's protocol (`http` or `https`). Default: Node's global agent. The sender does not close it. */
  readonly agent?: http.Agent | undefined
  /**
   * Timeout of one attempt in milliseconds, from connecting to the end of the response. It must cover the broker's
   * retries, because a broker may respond only when the function has ended.
   */
  readonly timeoutMs: number
  /** Timeout of the connection with TLS, in milliseconds. Default: only `timeoutMs` applies. */
  readonly connectMs?: number
  readonly clock: Clock
  /** Default: `binary`. */
  readonly mode?: ContentMode
  /** Extensions for every event. The event's own extensions override them. */
  readonly extensions?: Readonly<Record<string, string>>
  /** Source of the bearer token that authenticates the sender to the sink. */
  readonly token?: TokenSource
  /** Another way to the sink than HTTP. Default: `createPost` with the agent and the timeouts. */
  readonly post?: Post
}

/** A bearer token that others renew. */
export interface TokenSource {
  /**
   * Returns the current token, or undefined without one. `refused`: the sink answered 401 to this token; reads it
   * again.
   */
  token(options?: { readonly refused?: string | undefined }): Promise<string | undefined>
}

/** The result of one attempt to send. `reason` is for users and logs, and has none of the event's data. */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  /** The sink has the event but did not respond in time. It may or may not process it. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** Not accepted now. `afterMs`: the sink's requested delay. Sending again is safe: the id is the same. */
  | {
      readonly kind: 'retry'
      readonly afterMs?: number
      readonly reason: string
      /** Status of the response. Absent: no response, because the connection failed or broke. */
      readonly status?: number
      /** Error code of the system or of TLS if the sink was not reached: ECONNREFUSED, CERT_HAS_EXPIRED. */
      readonly code?: string
    }
  /** The sink refuses the event permanently: a 4xx (other than 408, 425, 429) or a redirect. */
  | { readonly kind: 'rejected'; readonly status: number; readonly reason: string }

/** Sends one event once. Rejects only with the signal's reason after an abort. */
export type Send = (event: ExtensionEvent, signal: AbortSignal) => Promise<SendOutcome>

/**
 * Creates a sender. Does not use the SDK's `httpTransport`, which takes a 503 for a success and has no timeout.
 *
 * @example
 * const send = createSender({ sink: 'http://broker-ingress/ns/default', timeoutMs: 600_000, clock: systemClock })
 * const outcome = await send(event, AbortSignal.timeout(60_000))
 */
export const createSender = (options: SenderOptions): Send => {
  const { sink, agent, timeoutMs, connectMs, clock, mode = 'binary', extensions, token: source } = options
  const post = options.post ?? createPost({ agent, timeoutMs, connectMs, clock })

  /** A 401 may mean that the token was renewed after it was read. */
  const postAuthorized = async (
    message: HttpMessage,
    traceparent: string | undefined,
    signal: AbortSignal,
  ): Promise<PostAnswer> => {
    const token = await source?.token()
    const answer = await post(sink, withHeaders(message, traceparent, token), signal)
    if (answer.status !== 401 || source === undefined) return answer
    const fresh = await source.token({ refused: token })
    return fresh === token ? answer : post(sink, withHeaders(message, traceparent, fresh), signal)
  }

  return async (event, signal) => {
    try {
      const message = eventMessage(event, mode, extensions)
      const { status, headers } = await postAuthorized(message, event.traceparent, signal)
      if (status >= 200 && status < 300) return { kind: 'accepted' }
      const reason = `the sink answered ${status}`
      if (status < 500 && !passingStatus.has(status)) return { kind: 'rejected', status, reason }
      const afterMs = parseRetryAfter(headers['retry-after'], clock.now())
      return afterMs === undefined
        ? { kind: 'retry', status, reason }
        : { kind: 'retry', status, afterMs, reason }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof PostTimeoutError)
        return { kind: 'unanswered', reason: `the sink: ${error.message}` }
      const code = codeOf(error)
      const reason = `cannot reach the sink: ${messageOf(error)}`
      return code === undefined ? { kind: 'retry', reason } : { kind: 'retry', reason, code }
    }
  }
}

/** Adds the trace, which brokers and proxies read from this header and not from the event, and the token. */
const withHeaders = (
  { headers, body }: HttpMessage,
  traceparent: string | undefined,
  token: string | undefined,
): HttpMessage => ({
  headers: {
    ...headers,
    ...(traceparent !== undefined && { traceparent }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  },
  body,
})

/** Request Timeout, Too Early, Too Many Requests: these 4xx do not concern the event. */
const passingStatus: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Returns the delay of a Retry-After header in milliseconds (RFC 9110, section 10.2.3: seconds or an HTTP date), never
 * below 0. Undefined if the header is missing or invalid.
 */
export const parseRetryAfter = (
  header: string | readonly string[] | undefined,
  now: Timestamp,
): number | undefined => {
  const value = typeof header === 'string' ? header.trim() : header?.[0]?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  // Date.parse accepts nearly anything. An HTTP date starts with the name of a day.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}

interface PostOptions {
  /** Agent for the protocol of the URLs (`http` or `https`). Default: Node's global agents. */
  readonly agent?: http.Agent | undefined
  /** Timeout of the whole exchange in milliseconds, including connecting and reading the response. */
  readonly timeoutMs: number
  /** Timeout of the connection with TLS, in milliseconds. Absent: only `timeoutMs` applies. */
  readonly connectMs?: number | undefined
  readonly clock: Clock
}

export interface PostAnswer {
  readonly status: number
  readonly headers: HttpHeaders
  /** The first MiB at most. */
  readonly body: Uint8Array
}

/**
 * POSTs a message. Throws the signal's reason on abort, `PostTimeoutError` on a timeout, and the error of a broken
 * connection.
 */
export type Post = (url: string, message: HttpMessage, signal: AbortSignal) => Promise<PostAnswer>

/** The (complete) response did not arrive in time. The receiver may have acted. */
export class PostTimeoutError extends Error {
  override readonly name = 'PostTimeoutError'
}

/** The connection was not established in time, so the receiver got nothing. */
class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError'
  /** The system's code for its own connection timeout. */
  readonly code = 'ETIMEDOUT'
}

const answerLimit = 1024 * 1024

/**
 * POSTs a message and follows no redirect. Sends it again only if a reused connection was already closed. Throws the
 * signal's reason on abort, `PostTimeoutError` or `ConnectTimeoutError` on a timeout, and Node's error for a failed
 * connection.
 *
 * Uses Node's client: undici would take 22 MB more in a process that is mostly idle.
 */
export const createPost = ({ agent, timeoutMs, connectMs, clock }: PostOptions): Post => {
  const optionsOf = createUrlOptions()
  return async (url, message, signal) => {
    signal.throwIfAborted()
    const ended = new AbortController()
    const follow = () => ended.abort(signal.reason)
    signal.addEventListener('abort', follow, { once: true })
    const cancel = clock.after(timeoutMs, () =>
      ended.abort(new PostTimeoutError(`no answer within ${timeoutMs} ms`)),
    )
    const limitConnect = (request: http.ClientRequest) => {
      if (connectMs === undefined || request.reusedSocket) return
      const disarm = clock.after(connectMs, () =>
        ended.abort(new ConnectTimeoutError(`no connection within ${connectMs} ms`)),
      )
      request.once('close', disarm)
      request.once('socket', socket => {
        if (request.reusedSocket) disarm()
        else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', disarm)
      })
    }
    const once = () => exchange(optionsOf(url), message, agent, limitConnect, ended.signal)
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error
      return await once()
    } finally {
      cancel()
      signal.removeEventListener('abort', follow)
    }
  }
}

/** The receiver closed an idle connection before it read the request. This is not an error of either side. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
}

/** Creates the options of requests to a URL, and retains the last ones: a sender has one URL. */
const createUrlOptions = (): ((url: string) => http.RequestOptions) => {
  let last: { readonly url: string; readonly options: http.RequestOptions } | undefined
  return url => {
    if (last?.url !== url) last = { url, options: urlToHttpOptions(new URL(url)) }
    return last.options
  }
}

/** A server needs one `100 Continue` or `103 Early Hints` at most. */
const mostInformational = 10

/** Ends a request whose server sends informational responses (1xx) without end: reading them costs CPU. */
const limitInformational = (request: http.ClientRequest): void => {
  let count = 0
  const noted = () => {
    count++
    if (count === mostInformational + 1)
      request.destroy(
        new Error(`the server sent more than ${mostInformational} informational responses (1xx)`),
      )
  }
  request.on('continue', noted)
  request.on('information', noted)
}

const exchange = (
  target: http.RequestOptions,
  { headers, body }: HttpMessage,
  agent: http.Agent | undefined,
  opened: (request: http.ClientRequest) => void,
  signal: AbortSignal,
): Promise<PostAnswer> =>
  new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? https : http).request({
      ...target,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      ...(agent === undefined ? {} : { agent }),
    })
    opened(request)
    limitInformational(request)
    const abort = () => request.destroy()
    signal.addEventListener('abort', abort, { once: true })
    const removeListener = () => signal.removeEventListener('abort', abort)
    const fail = (error: unknown) => {
      removeListener()
      reject(signal.aborted ? signal.reason : error)
    }
    let answered = false
    request.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = !answered && request.reusedSocket && error.code === 'ECONNRESET'
      fail(isStale ? new StaleConnectionError(error.message, { cause: error }) : error)
    })
    request.once('response', response => {
      answered = true
      const chunks: Uint8Array[] = []
      let length = 0
      const finish = () => {
        removeListener()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, answerLimit),
        })
      }
      response.on('data', (chunk: Uint8Array) => {
        chunks.push(chunk)
        length += chunk.length
        if (length <= answerLimit) return
        finish()
        request.destroy()
      })
      response.once('end', finish)
      response.once('error', fail)
    })
    // A complete body is sent together with the head.
    request.end(body)
    if (signal.aborted) abort()
  })

/** The result of a request: a rejection is either retried, or parks the event. */
export type SendResult =
  | Exclude<SendOutcome, { kind: 'rejected' }>
  | { readonly kind: 'park'; readonly status: number; readonly reason: string }

/**
 * Besides redirects: answers about the address, the sender's token or the moment, and not about the event, such as a
 * broker or a trust that does not exist yet. Every event gets them, so giving up on one would lose it for no reason.
 */
const aboutTheSink = new Set([401, 403, 404, 405, 407, 410, 421])
/** Operators fix these, which takes a while. */
const slowRetryMs = 15_000
/**
 * The upper limit for a sink's Retry-After: twice the longest backoff of the bridge. A larger limit would let a sink,
 * or a proxy in front of it, silence an object.
 */
const longestRetryAfterMs = 60_000

export const sendResultOf = (outcome: SendOutcome): SendResult => {
  if (outcome.kind === 'retry')
    return { ...outcome, afterMs: Math.min(outcome.afterMs ?? 0, longestRetryAfterMs) }
  if (outcome.kind !== 'rejected') return outcome
  const { status, reason } = outcome
  return aboutTheSink.has(status) || status < 400
    ? { kind: 'retry', afterMs: slowRetryMs, status, reason }
    : { kind: 'park', status, reason }
}

/** Sends the event; a `send` that throws counts as failed. */
export const emit = async (send: Send, event: ExtensionEvent, signal: AbortSignal): Promise<SendResult> => {
  try {
    return sendResultOf(await send(event, signal))
  } catch (error) {
    return { kind: 'retry', reason: messageOf(error) }
  }
}
