import type http from 'node:http'
import type { Clock, Timestamp } from '../clock/clock.ts'
import type { HttpMessage } from './cloud-event.ts'
import type { ExtensionEvent } from './event.ts'
import { createPost, type PostAnswer, PostTimeoutError } from './post.ts'
import { type ContentMode, eventMessage } from './wire.ts'

export interface SenderOptions {
  /** Where events go: the URL of the broker's ingress. */
  readonly sink: string
  /** Of the kind that the sink needs (`http` or `https`); absent: Node's global one. The sender does not close it. */
  readonly agent?: http.Agent | undefined
  /**
   * For one attempt, from connecting to the end of the answer. A broker may answer only when the function has ended, so
   * it has to cover the broker's retries.
   */
  readonly timeoutMs: number
  /** For the connection, TLS included; absent: `timeoutMs` counts for it too. */
  readonly connectMs?: number
  readonly clock: Clock
  /** `binary` when absent. */
  readonly mode?: ContentMode
  /** Extensions for every event; those that the events have of their own win. */
  readonly extensions?: Readonly<Record<string, string>>
  /** Whom the sink shall believe the events to come from. */
  readonly token?: TokenSource
}

/** A bearer token that is renewed by others. */
export interface TokenSource {
  /** The present one, or undefined where there is none. `refused`: the sink answered 401 to this one: read it again. */
  token(options?: { readonly refused?: string | undefined }): Promise<string | undefined>
}

/** What became of one attempt to send. `reason` is for people and logs; it holds nothing of the event's data. */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  /** The sink has the event and did not answer within the time, which says nothing about what it does with it. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** Not accepted now. `afterMs`: the sink said when to come again. Sending again is safe: the id is the same. */
  | {
      readonly kind: 'retry'
      readonly afterMs?: number
      readonly reason: string
      /** What the sink answered; absent: no answer came, the connection failed or broke. */
      readonly status?: number
      /** Of the system or of TLS, when the sink was not reached: ECONNREFUSED, CERT_HAS_EXPIRED. */
      readonly code?: string
    }
  /** The sink will not take it as it is: the answer is a 4xx (other than 408, 425, 429), or a redirect. */
  | { readonly kind: 'rejected'; readonly status: number; readonly reason: string }

/** Sends one event once. Rejects only with the signal's reason, once it aborts. */
export type Send = (event: ExtensionEvent, signal: AbortSignal) => Promise<SendOutcome>

/**
 * Makes a sender. The SDK's `httpTransport` is not used: it takes a 503 for success and has no timeout.
 *
 * @example
 * const send = createSender({ sink: 'http://broker-ingress/ns/default', timeoutMs: 600_000, clock: systemClock })
 * const outcome = await send(event, AbortSignal.timeout(60_000))
 */
export const createSender = (options: SenderOptions): Send => {
  const { sink, agent, timeoutMs, connectMs, clock, mode = 'binary', extensions, token: source } = options
  const post = createPost({ agent, timeoutMs, connectMs, clock })

  /** A 401 may mean that the token has been renewed since it was read. */
  const postAuthorized = async (message: HttpMessage, signal: AbortSignal): Promise<PostAnswer> => {
    const token = await source?.token()
    const answer = await post(sink, authorized(message, token), signal)
    if (answer.status !== 401 || source === undefined) return answer
    const fresh = await source.token({ refused: token })
    return fresh === token ? answer : post(sink, authorized(message, fresh), signal)
  }

  return async (event, signal) => {
    try {
      const message = traced(eventMessage(event, mode, extensions), event.traceparent)
      const { status, headers } = await postAuthorized(message, signal)
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
      const reason = `the sink cannot be reached: ${describe(error)}`
      return code === undefined ? { kind: 'retry', reason } : { kind: 'retry', reason, code }
    }
  }
}

/** Brokers and proxies look for the trace in the header, whatever the event says. */
const traced = (message: HttpMessage, traceparent: string | undefined): HttpMessage =>
  traceparent === undefined ? message : withHeader(message, 'traceparent', traceparent)

const authorized = (message: HttpMessage, token: string | undefined): HttpMessage =>
  token === undefined ? message : withHeader(message, 'authorization', `Bearer ${token}`)

const withHeader = ({ headers, body }: HttpMessage, name: string, value: string): HttpMessage => ({
  headers: { ...headers, [name]: value },
  body,
})

/** Request Timeout, Too Early, Too Many Requests: 4xx that say nothing about the event. */
const passingStatus: ReadonlySet<number> = new Set([408, 425, 429])

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error'
  const code = codeOf(error)
  return code !== undefined && !error.message.includes(code)
    ? `${code} ${error.message}`.trim()
    : error.message
}

/**
 * Milliseconds that a Retry-After header asks to wait (RFC 9110, section 10.2.3: seconds, or an HTTP date), never
 * below 0; undefined when there is none or it cannot be read.
 */
export const parseRetryAfter = (
  header: string | readonly string[] | undefined,
  now: Timestamp,
): number | undefined => {
  const value = typeof header === 'string' ? header.trim() : header?.[0]?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  // Date.parse takes nearly anything; an HTTP date starts with the name of a day.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0)
}
