import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock, Timestamp } from '../clock/clock.ts'
import { recordOf } from '../decode/record-of.ts'
import type { Kubernetes } from '../kubernetes/kubernetes.ts'
import { reportAudience } from '../runtime/runtime.ts'
import { messageOf } from '../text/message-of.ts'

/** The sender of a report, by its token. `unknown`: the API server cannot be asked now, so the sender repeats it. */
export type ReportSender =
  | { readonly kind: 'program'; readonly program: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly why: string }

/** Finds out which function a token proves. */
export interface ReportSenders {
  /** Returns a token for a program that this process starts, which has no account of its own. */
  tokenOf(program: string): string
  /** Returns the sender by the header `authorization` of its report. Never rejects. */
  senderOf(authorization: string | undefined): Promise<ReportSender>
}

export interface ReportSendersOptions {
  /** Asks for tokens of pods. Without it, only programs of this process can report. */
  readonly kubernetes: Partial<Pick<Kubernetes, 'create'>>
  /** The namespace of the functions, which is that of this process. Undefined: it is not in a cluster. */
  readonly namespace: string | undefined
  readonly clock: Clock
}

const tokenReviews = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  namespaced: false,
} as const

/** A removed pod's token is accepted this much longer at most, in milliseconds. */
const provedMs = 300_000
const refusedMs = 60_000
/** Each pod has one token, and another one each hour. */
const mostTokens = 1_000
/** API servers use a few kilobytes at most. */
const longestToken = 16 * 1024
/** Invented tokens must not load the API server. Further ones are asked later. */
const reviewsPerSecond = 5
const mostReviewsAtOnce = 4
const reviewLimitMs = 2_000

interface KnownToken {
  readonly sender: ReportSender
  readonly until: Timestamp
}

export const createReportSenders = ({
  kubernetes: { create },
  namespace,
  clock,
}: ReportSendersOptions): ReportSenders => {
  const key = randomBytes(32)
  const tokenOf = (program: string): string =>
    `${program}.${createHmac('sha256', key).update(program).digest('base64url')}`
  /** Separate, so that invented tokens cannot displace those of functions. */
  const proved = new Map<string, KnownToken>()
  const refused = new Map<string, KnownToken>()
  const asked = new Map<string, Promise<ReportSender>>()
  let second = 0
  let reviewsOfSecond = 0

  const review = async (token: string, account: string): Promise<ReportSender> => {
    const limit = new AbortController()
    const cancel = clock.after(reviewLimitMs, () => limit.abort(new Error('no answer in time')))
    try {
      const { status } = (await create?.(
        tokenReviews,
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          // The API server accepts a review only with empty metadata.
          metadata: { name: '' },
          spec: { token, audiences: [reportAudience] },
        },
        { signal: limit.signal },
      )) ?? { status: undefined }
      const { authenticated, audiences, user } = recordOf(status)
      const { username } = recordOf(user)
      const isForReports = Array.isArray(audiences) && audiences.includes(reportAudience)
      if (authenticated !== true || !isForReports || typeof username !== 'string') return { kind: 'refused' }
      return username.startsWith(account)
        ? { kind: 'program', program: username.slice(account.length) }
        : { kind: 'refused' }
    } catch (error) {
      return { kind: 'unknown', why: messageOf(error) }
    } finally {
      cancel()
    }
  }

  const ask = async (token: string, hash: string): Promise<ReportSender> => {
    if (create === undefined || namespace === undefined) return { kind: 'refused' }
    const now = clock.now()
    // The clock may have been set back.
    if (Math.abs(now - second) >= 1_000) {
      second = now
      reviewsOfSecond = 0
    }
    if (asked.size >= mostReviewsAtOnce || reviewsOfSecond >= reviewsPerSecond)
      return { kind: 'unknown', why: 'too many tokens at once' }
    reviewsOfSecond++
    const asking = review(token, `system:serviceaccount:${namespace}:`)
    asked.set(hash, asking)
    const sender = await asking
    asked.delete(hash)
    if (sender.kind === 'program') remember(proved, hash, { sender, until: clock.now() + provedMs })
    if (sender.kind === 'refused') remember(refused, hash, { sender, until: clock.now() + refusedMs })
    return sender
  }

  return {
    tokenOf,
    senderOf: async authorization => {
      const header = authorization ?? ''
      const token = header.length > longestToken ? undefined : /^bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]
      if (token === undefined) return { kind: 'refused' }
      const program = token.slice(0, Math.max(token.indexOf('.'), 0))
      if (isSame(token, tokenOf(program))) return { kind: 'program', program }
      const hash = createHash('sha256').update(token).digest('base64')
      const known = proved.get(hash) ?? refused.get(hash)
      const leftMs = (known?.until ?? 0) - clock.now()
      // More is left only if the clock was set back.
      if (known !== undefined && leftMs > 0 && leftMs <= provedMs) return known.sender
      return (await asked.get(hash)) ?? ask(token, hash)
    },
  }
}

const remember = (tokens: Map<string, KnownToken>, hash: string, known: KnownToken): void => {
  tokens.delete(hash)
  tokens.set(hash, known)
  const [oldest] = tokens.keys()
  if (tokens.size > mostTokens && oldest !== undefined) tokens.delete(oldest)
}

const isSame = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}
