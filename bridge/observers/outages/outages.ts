import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { ConnectionError, KubernetesError, refusalAdvice } from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import {
  adviceOn,
  isLasting,
  type SinkFailure,
  type SinkTrouble,
  synchronousAdvice,
} from '../sink-trouble.ts'

/** Logs one line when something is away, with the setting to check, and one when it is back. */
export interface Outages {
  event(event: BridgeEvent): void
  /** Records a failed attempt to reach the sink, other than by an event. */
  sinkFailed(failure: SinkFailure): void
  /** Records a successful attempt. */
  sinkReached(): void
  /** Returns the current problems of the sink, as far as they are known. */
  sinkTroubles(): readonly SinkTrouble[]
  /** Returns true if the sink has accepted no event for a minute, for a reason that an operator must fix. */
  isSinkBlocked(): boolean
}

/**
 * A problem counts for the state of the process after this time, and for at most this time after its last sign, in ms.
 */
const lastingMs = 60_000

/** Request Timeout, Too Early, Too Many Requests. */
const isAboutPace = (status: number | undefined): boolean =>
  status === 408 || status === 425 || status === 429

const notServed =
  'the cluster does not define this kind. Check that it is a Gardener seed, or remove the kind from --kinds (TRELLIS_KINDS)'

const clusterSetting = '--kubeconfig (TRELLIS_KUBECONFIG)'

export const createOutages = (log: Log, clock: Pick<Clock, 'now'>): Outages => {
  let sinkSince: Timestamp | undefined
  let sinkFailedAt: Timestamp | undefined
  let trouble: SinkTrouble | undefined
  /** The problems of this outage that were logged. */
  const said = new Set<SinkTrouble>()
  let lateAnswers = createLateAnswers()
  let isSynchronous = false
  /** 5xx answers since the sink last accepted an event. */
  let answersInRow = 0
  let serverSince: Timestamp | undefined
  /** Resources that cannot be watched because the server is away, and those that it refuses. */
  const away = new Set<string>()
  /** The last logged failure that is neither an answer of the server nor a failed connection. */
  let problem: string | undefined
  const refused = new Set<string>()
  /** Resources that answered 401: an invalid token affects all of them. */
  const unknownAt = new Set<string>()

  const sinkFailed = (failure: SinkFailure) => {
    const { trouble: found, setting, advice } = adviceOn(failure)
    sinkFailedAt = clock.now()
    sinkSince ??= sinkFailedAt
    trouble = found
    if (said.has(found)) return
    said.add(found)
    log.warn('sink does not accept events', { why: failure.why, setting, advice })
  }

  const sinkUnknown = () => {
    answersInRow = 0
    sinkSince = undefined
    trouble = undefined
    lateAnswers = createLateAnswers()
    isSynchronous = false
    said.clear()
  }

  const sinkWorks = () => {
    answersInRow = 0
    if (sinkSince === undefined) return
    log.info('sink accepts events again', { awayMs: clock.now() - sinkSince })
    sinkSince = undefined
    trouble = undefined
    said.clear()
  }

  const answered = (id: string, tookMs: number) => {
    const known = lateAnswers.answered(id, tookMs)
    if (known && !isSynchronous)
      log.warn('broker answers only after functions have ended', { advice: synchronousAdvice })
    if (known !== undefined) isSynchronous = known
  }

  const watchFailed = (resource: string, error: unknown) => {
    if (error instanceof ConnectionError) {
      away.add(resource)
      if (serverSince !== undefined) return
      serverSince = clock.now()
      log.warn('cannot reach the API server', { why: messageOf(error), setting: clusterSetting })
    } else if (error instanceof KubernetesError && error.status === 401) {
      if (unknownAt.size === 0) {
        const { status, message: why } = error
        log.warn('API server does not accept the credentials', {
          status,
          why,
          setting: clusterSetting,
          advice: refusalAdvice(error),
        })
      }
      unknownAt.add(resource)
    } else if (!(error instanceof KubernetesError)) {
      // The credentials cannot be read, for example because the kubeconfig's plugin fails.
      const why = messageOf(error)
      if (why !== problem) log.warn('cannot watch', { resource, why, setting: clusterSetting })
      problem = why
      refused.add(resource)
    } else if (!refused.has(resource)) {
      refused.add(resource)
      log.warn('API server does not serve a watch', {
        resource,
        status: error.status,
        why: messageOf(error),
        ...(error.status === 403
          ? { setting: `${clusterSetting}, or the rules of its account`, advice: refusalAdvice(error) }
          : {}),
        ...(error.status === 404 ? { advice: notServed } : {}),
      })
    }
  }

  const watchWorks = (resource: string) => {
    if (refused.delete(resource)) log.info('API server serves a watch again', { resource })
    if (refused.size === 0) problem = undefined
    if (unknownAt.delete(resource) && unknownAt.size === 0)
      log.info('API server accepts the credentials again')
    if (!away.delete(resource) || away.size > 0 || serverSince === undefined) return
    log.info('API server is reachable again', { awayMs: clock.now() - serverSince })
    serverSince = undefined
  }

  return {
    sinkFailed,
    sinkReached: () => {
      if (trouble === 'unreachable') sinkWorks()
    },
    sinkTroubles: () => [...(trouble ? [trouble] : []), ...(isSynchronous ? (['synchronous'] as const) : [])],
    isSinkBlocked: () => {
      if (trouble === undefined || sinkSince === undefined || sinkFailedAt === undefined) return false
      const now = clock.now()
      return isLasting(trouble) && now - sinkSince >= lastingMs && now - sinkFailedAt <= lastingMs
    },
    event: event => {
      switch (event.type) {
        case 'retried':
          // Neither a late answer nor one that asks for patience means that the sink is away.
          if (isAboutPace(event.status)) return
          // One 5xx may be about its event while others are accepted.
          if ((event.status ?? 0) >= 500 && ++answersInRow < 2) return
          return sinkFailed(event)
        case 'accepted':
          if (event.by === 'claim') lateAnswers.claimed(event.id)
          return sinkWorks()
        case 'answered':
          return event.status === 'none' ? lateAnswers.unanswered(event.id) : answered(event.id, event.tookMs)
        case 'health':
        case 'observation':
          // A missing answer may also be that of a dead sink.
          return event.outcome === 'accepted' ? sinkWorks() : undefined
        case 'leadership':
          // A bridge that no longer sends cannot see the end of the outage; the one that sends reports problems.
          if (!event.leading) sinkUnknown()
          return
        case 'restarted':
          if (event.reason === 'failed') watchFailed(event.resource, event.error)
          return
        case 'recovered':
          return watchWorks(event.resource)
        default:
          return
      }
    },
  }
}

/** The number of consecutive late answers that identifies a synchronous broker. */
const lateInRow = 3
/** An ingress that stores events answers within this time, in ms. */
const lateMs = 1_000
/** The number of claims without an answer: the largest number of open requests of the bridge. */
const mostClaims = 1_024

/**
 * Detects a broker that answers only after the functions have ended: its answers are slow, and the claim was already
 * seen. A broker that stores events answers before it delivers them.
 */
interface LateAnswers {
  /** Records that the claim of an event was seen before its answer. */
  claimed(id: string): void
  /** Returns true if the broker is synchronous; undefined: this answer does not show it. */
  answered(id: string, tookMs: number): boolean | undefined
  /** Records that no answer will arrive. */
  unanswered(id: string): void
}

const createLateAnswers = (): LateAnswers => {
  const claims = new Set<string>()
  let late = 0
  return {
    claimed: id => {
      if (claims.size < mostClaims) claims.add(id)
    },
    answered: (id, tookMs) => {
      const isClaimed = claims.delete(id)
      if (tookMs < lateMs) late = 0
      else if (isClaimed) late++
      return late >= lateInRow ? true : tookMs < lateMs ? false : undefined
    },
    unanswered: id => {
      claims.delete(id)
    },
  }
}
