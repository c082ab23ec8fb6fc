import type * as z from 'zod'
import type { Clock } from '../../../../shared/clock/clock.ts'
import { formatProblems, problemsOf } from '../../../../shared/decode/problems.ts'
import type { RequestPace } from '../../../cloud/request-pace.ts'
import { failureOf, OpenStackError, refusalIn } from '../errors/openstack-error.ts'
import type { Method, OpenStackAnswer, OpenStackConnection, TlsSettings } from './connection.ts'

/** A request to one service, as it is sent. */
export interface SentCall<S extends z.ZodType> {
  readonly service: string
  readonly method: Method
  readonly url: string
  /** `POST networks`, for metrics. */
  readonly operation: string
  /** The action, as a gerund: `creating network shoot--a--b`. */
  readonly doing: string
  readonly headers: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  /** The fields that are read. An answer that does not fit is an error. */
  readonly answer: S
  readonly isRead: boolean
}

/** The decoded body of an answer, and its headers. */
export interface Answered<T> {
  readonly value: T
  readonly headers: OpenStackAnswer['headers']
}

/** Sends one call, with its repetitions. */
export type SendCall = <S extends z.ZodType>(call: SentCall<S>) => Promise<Answered<z.output<S>>>

/** The ports of `createSendCall`. */
export interface SendCallOptions {
  readonly connection: OpenStackConnection
  readonly clock: Clock
  readonly pace: RequestPace
  /** The account to which the cloud counts requests. */
  readonly account: string
  readonly tls: TlsSettings
  /** Secret values that no error may contain. */
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
  /** Called before each attempt that may change something. */
  readonly throwIfExpired: () => void
}

/** Attempts of one call. */
const mostAttempts = 4
const firstDelayMs = 250
/** The longest delay that a service may ask for. A step has no time for a longer one. */
const longestDelayMs = 5_000

/** Nova and Neutron answer these while a database or a message broker is away. */
const passing: ReadonlySet<number> = new Set([500, 502, 503, 504])

/**
 * Creates the sender of one step. Repeats throttled requests, and those that changed nothing or may be repeated, with
 * growing delays. A POST is repeated only if it was throttled or never sent: it may have taken effect.
 */
export const createSendCall = ({
  connection,
  clock,
  pace,
  account,
  tls,
  secrets,
  signal,
  throwIfExpired,
}: SendCallOptions): SendCall => {
  const attempt = async (
    { service, method, url, operation, doing, headers, body, isRead }: SentCall<z.ZodType>,
    repeated: boolean,
  ): Promise<OpenStackAnswer> => {
    signal.throwIfAborted()
    if (!isRead) throwIfExpired()
    const began = performance.now()
    const report = (ended: {
      readonly status: string
      readonly error?: string
      readonly requestId?: string
    }) =>
      connection.onRequest?.({
        service,
        operation,
        throttled: ended.status === '429',
        durationMs: performance.now() - began,
        // A login has nothing but credentials.
        args: service === 'identity' ? undefined : { url, body },
        write: !isRead,
        ...ended,
      })
    const refused = { service, doing, secrets, repeated }
    let answer: OpenStackAnswer
    try {
      answer = await connection.send({
        method,
        url,
        tls,
        signal,
        headers: {
          accept: 'application/json',
          'user-agent': 'trellis',
          ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    } catch (error) {
      signal.throwIfAborted()
      const failure = failureOf(error, refused)
      report({ status: 'none', error: failure.code || 'no answer' })
      throw failure
    }
    const requestId = answer.headers['x-openstack-request-id'] ?? answer.headers['x-trans-id']
    const ended = { status: String(answer.status), ...(requestId !== undefined && { requestId }) }
    if (answer.status < 300) {
      report(ended)
      return answer
    }
    const refusal = refusalIn(answer, refused)
    report({ ...ended, error: refusal.code || `HTTP ${answer.status}` })
    throw Object.assign(refusal, { retryAfter: answer.headers['retry-after'] })
  }

  const repeatable = (error: unknown, { isRead, method }: SentCall<z.ZodType>): boolean => {
    if (!(error instanceof OpenStackError)) return false
    if (isThrottled(error) || neverSent.has(error.code)) return true
    if (!isRead && method === 'POST') return false
    return error.status === undefined || passing.has(error.status)
  }

  return async call => {
    let repeated = false
    for (let number = 1; ; number++) {
      try {
        const answer = await pace.paced({
          category: `${account} ${call.service} ${call.isRead ? 'read' : 'change'}`,
          signal,
          send: () => attempt(call, repeated),
          isThrottled,
        })
        return { value: decoded(call, answer), headers: answer.headers }
      } catch (error) {
        if (number === mostAttempts || !repeatable(error, call)) throw error
        repeated ||= !isThrottled(error) && !neverSent.has((error as OpenStackError).code)
        await clock.sleep(delayOf(error, number), signal)
      }
    }
  }
}

/** The connection was refused, or the name is unknown: no service has seen the request. */
const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Returns true if OpenStack refused a call because of the rate of calls. Old releases of Nova do so with 413. */
export const isThrottled = (error: unknown): boolean =>
  error instanceof OpenStackError &&
  (error.status === 429 || (error.status === 413 && 'retryAfter' in error && error.retryAfter !== undefined))

const delayOf = (error: unknown, number: number): number => {
  const asked = Number(Object(error).retryAfter) * 1_000
  const own = firstDelayMs * 2 ** (number - 1)
  return Math.min(Number.isFinite(asked) && asked > own ? asked : own, longestDelayMs)
}

/** Returns the fields of an answer that are read. Throws an error that names service, path and field. */
const decoded = <S extends z.ZodType>(
  { service, url, method, answer: schema, doing }: SentCall<S>,
  { status, body, headers }: OpenStackAnswer,
): z.output<S> => {
  const type = headers['content-type'] ?? ''
  let value: unknown = body === '' ? undefined : body
  if (body !== '' && (type.includes('json') || /^\s*[[{]/.test(body))) {
    try {
      value = JSON.parse(body)
    } catch {
      // The schema names the field that is missing.
    }
  }
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  const { pathname } = new URL(url)
  const problems = formatProblems(problemsOf(error.issues.slice(0, 3), value))
  throw new OpenStackError(doing, {
    service,
    status,
    code: '',
    origin: 'client',
    repeated: false,
    said: `the answer of ${service} to ${method} ${pathname} is not one of OpenStack: ${problems}. Check proxies and endpoints on the way`,
  })
}
