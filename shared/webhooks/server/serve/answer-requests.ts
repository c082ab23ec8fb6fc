import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../clock/clock.ts'
import { idOf } from '../../../kubernetes/kubernetes.ts'
import type { Log } from '../../../log/log.ts'
import { type Metrics, readBody } from '../../../runtime/runtime.ts'
import {
  answerReview,
  type Lookup,
  type ReviewAnswer,
  readShootPath,
  type WebhookDefinition,
  webhookPath,
} from '../../admission/admission.ts'
import { reviewMetrics } from '../process/metrics.ts'
import { type ByteShare, createByteBudget, weighReview } from './byte-budget.ts'

/**
 * The largest accepted review, in bytes. API servers accept requests of 3 MB, and the review of an update includes the
 * old object. Go's servers have the same limit.
 */
const reviewLimitBytes = 7 * 1024 * 1024

/** The time limit for the whole body, in milliseconds. Also the longest wait of a review before it is read. */
const bodyTimeoutMs = 10_000

/**
 * The limits of reviews in memory. A body takes about seven times its length, as bytes, text and objects. The process
 * has 384 MiB (docs/decisions/0078-what-a-caller-may-take.md).
 */
const budgetLimits = {
  all: 3 * reviewLimitBytes,
  shoots: 2 * reviewLimitBytes,
  shoot: reviewLimitBytes,
  least: 64 * 1024,
  // The server has 1,000 connections (server.ts).
  places: { shoots: 700, shoot: 100 },
  slowMs: 1_000,
} as const

export interface AnswerRequestsOptions {
  readonly route: (path: string) => ReviewRoute | undefined
  readonly openLookup: OpenLookup
  readonly settings: Readonly<Record<string, unknown>>
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
}

interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly type: 'application/json' | 'text/plain; charset=utf-8'
}

/** Answers requests of API servers. Logs and error texts contain no part of an object but its name. */
export const answerRequests = ({
  route,
  openLookup,
  settings,
  metrics,
  log,
  clock,
}: AnswerRequestsOptions) => {
  const { answers, seconds } = reviewMetrics(metrics)
  const budget = createByteBudget(budgetLimits, clock)

  const review = async ({ definition, shoot }: ReviewRoute, body: Uint8Array, limitMs: number) => {
    const webhook = webhookPath(definition)
    const began = performance.now()
    const deadline = new AbortController()
    const cancel = clock.after(limitMs, () => deadline.abort(new TimedOutError()))
    const { lookup, close } = openLookup(definition, shoot, deadline.signal)
    try {
      const answer = await answerReview(definition, body, lookup, settings)
      const durationMs = performance.now() - began
      answers({ webhook, outcome: answer.outcome })
      seconds(durationMs / 1000, { webhook })
      logAnswer(log, webhook, answer, durationMs)
      return answer
    } finally {
      cancel()
      close()
    }
  }

  /** Undefined if the body did not arrive. */
  const readAndReview = async (
    request: IncomingMessage,
    found: ReviewRoute,
    share: ByteShare,
    limitMs: number,
  ): Promise<HttpAnswer | undefined> => {
    const read = await readBody(request, { limitBytes: reviewLimitBytes, timeoutMs: bodyTimeoutMs, clock })
    switch (read.kind) {
      case 'incomplete':
        return undefined
      case 'too-large':
        return plain(413, `a review may have at most ${reviewLimitBytes} bytes`)
      case 'whole': {
        share.arrived()
        const weight = weighReview(read.body)
        if (weight > reviewLimitBytes)
          return plain(413, 'the review has too many objects and lists for its length')
        // It must not wait here, because others could wait for its bytes.
        if (!share.grow(weight)) return tooMany
        return httpAnswer(await review(found, read.body, limitMs))
      }
    }
  }

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    isDraining: () => boolean,
  ): Promise<void> => {
    const send = ({ status, body, type }: HttpAnswer): void => {
      // Closes the connection if the body was not read completely, or if the caller must use another replica.
      if (status === 503) response.setHeader('retry-after', '1')
      if (isDraining() || !request.complete) response.setHeader('connection', 'close')
      response
        .writeHead(status, { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) })
        .end(body)
    }
    const url = URL.parse(request.url ?? '/', 'https://webhook')
    const found = request.method === 'POST' && url !== null ? route(url.pathname) : undefined
    // Refuses an unknown path before it reads the body, so that unknown callers cannot use memory.
    if (found === undefined || url === null) {
      response.setHeader('connection', 'close')
      send(plain(404, 'no webhook has this path'))
      return
    }
    const { socket } = request
    const before = socket.bytesRead
    const share = await budget.take(found.shoot, lengthOf(request), bodyTimeoutMs, {
      received: () => socket.bytesRead - before,
      evict: () => request.destroy(),
    })
    if (share === undefined) {
      send(tooMany)
      return
    }
    try {
      const answer = await readAndReview(request, found, share, limitOf(url.searchParams, found))
      if (answer === undefined) response.destroy()
      else send(answer)
    } finally {
      share.release()
    }
  }
}

/** Returns the length of the body, from its header. Without a header, returns the largest accepted length. */
const lengthOf = ({ headers }: IncomingMessage): number => {
  const length = Number(headers['content-length'] ?? reviewLimitBytes)
  return Number.isFinite(length) ? Math.min(length, reviewLimitBytes) : reviewLimitBytes
}

/** The caller no longer waits for the review. */
class TimedOutError extends Error {
  override readonly name = 'TimeoutError'
  constructor() {
    super('no time was left for the review')
  }
}

const httpAnswer = ({ status, body }: ReviewAnswer): HttpAnswer =>
  status === 200 ? { status, body, type: 'application/json' } : plain(status, body)

const plain = (status: number, text: string): HttpAnswer => ({
  status,
  body: text.endsWith('\n') ? text : `${text}\n`,
  type: 'text/plain; charset=utf-8',
})

const tooMany = plain(503, 'too many reviews in progress')

/** API servers send their timeout: `?timeout=10s`. */
const limitOf = (query: URLSearchParams, { definition }: ReviewRoute): number => {
  const seconds = /^(\d{1,2})s$/.exec(query.get('timeout') ?? '')?.[1]
  return Math.min(Number(seconds ?? definition.timeoutSeconds), definition.timeoutSeconds) * 1000
}

const logAnswer = (log: Log, webhook: string, answer: ReviewAnswer, durationMs: number): void => {
  const { outcome, about: { name, namespace, ...about } = {}, failure, warningFailure } = answer
  const fields = {
    webhook,
    outcome,
    ...about,
    ...(name !== undefined && { object: idOf({ name, ...(namespace !== undefined && { namespace }) }) }),
    durationMs: Math.round(durationMs * 10) / 10,
  }
  if (warningFailure !== undefined)
    log.error('warnings of a review failed', { ...fields, failure: warningFailure })
  if (outcome === 'failed') log.error('review failed', { ...fields, failure })
  else if (outcome === 'malformed') log.warn('request is not a review', fields)
  else if (outcome === 'refused') log.info('review refused', fields)
  else log.debug('review answered', fields)
}

/** A lookup that is closed with the review. */
export interface OpenedLookup {
  readonly lookup: Lookup
  readonly close: () => void
}

/** Opens the lookup of a review in time: `signal` aborts when the API server no longer waits. */
export type OpenLookup = (
  definition: WebhookDefinition,
  shoot: string | undefined,
  signal: AbortSignal,
) => OpenedLookup

/** The function for a path, and the calling shoot: the namespace of its control plane. */
interface ReviewRoute {
  readonly definition: WebhookDefinition
  readonly shoot: string | undefined
}

/**
 * Finds the webhook of a path: `/aws/controlplane` and a proof. The path of a shoot also names the shoot (`shootPath`).
 * Undefined if there is no webhook.
 *
 * @param pathKeys the current keys for the proofs of shoots, by component
 * @param accepts returns true if the API server of the cluster may use this path
 */
export const createRouter = (
  definitions: readonly WebhookDefinition[],
  pathKeys: (component: string) => readonly Uint8Array[],
  accepts: (definition: WebhookDefinition, path: string) => boolean,
): ((path: string) => ReviewRoute | undefined) => {
  const byPath = new Map(definitions.map(definition => [webhookPath(definition), definition]))
  return path => {
    const [, component, name, ...rest] = path.split('/')
    const definition = byPath.get(`/${component}/${name}`)
    if (definition === undefined) return undefined
    if (definition.target !== 'shoot')
      return accepts(definition, path) ? { definition, shoot: undefined } : undefined
    const shoot = readShootPath(pathKeys(definition.component), rest.join('/'))
    return shoot === undefined ? undefined : { definition, shoot }
  }
}
