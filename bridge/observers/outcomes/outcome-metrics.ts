import type { Clock } from '../../../shared/clock/clock.ts'
import { errorCodes } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { Metrics } from '../../../shared/runtime/runtime.ts'
import type { BridgeObserver } from '../bridge-event.ts'
import type { OpenRequests } from './step-watch.ts'

/**
 * Counts the outcomes that objects show. Every bridge counts the same; take the maximum over replicas, never the sum.
 */
export interface OutcomeMetrics extends Required<Pick<BridgeObserver, 'event'>> {
  /** Reads the gauges that describe state; call it before rendering. */
  collect(kinds: Iterable<KindName>, requests: ReadonlyMap<KindName, OpenRequests>): void
}

/** A seed has a few dozen types with functions; further types share one series. */
const mostProviders = 100
const stepSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 90]
const readySeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200, 3_600]

export const createOutcomeMetrics = (metrics: Metrics, clock: Pick<Clock, 'now'>): OutcomeMetrics => {
  const steps = metrics.counter(
    'trellis_object_steps_total',
    'Steps that ended: succeeded, failed, continues, waits (an error that the status does not show) or expired (no outcome).',
    ['kind', 'provider', 'operation', 'outcome'],
  )
  const errors = metrics.counter(
    'trellis_object_errors_total',
    'Steps that failed, by Gardener error code; none for an error without a code.',
    ['kind', 'provider', 'code'],
  )
  const took = metrics.histogram(
    'trellis_object_step_seconds',
    'Time from the claim of an object to the end of the step.',
    ['kind', 'operation'],
    stepSeconds,
  )
  const ready = metrics.histogram(
    'trellis_object_ready_seconds',
    'Time from a request to its success, over all its steps.',
    ['kind', 'operation'],
    readySeconds,
  )
  const open = metrics.gauge(
    'trellis_object_open_requests',
    'Objects with an unfinished operation, except those that wait for their shoot.',
    ['kind'],
  )
  const failing = metrics.gauge('trellis_object_failing', 'Unfinished objects whose last step failed.', [
    'kind',
  ])
  const oldest = metrics.gauge(
    'trellis_object_oldest_request_seconds',
    'Time at which the oldest unfinished operation was requested.',
    ['kind'],
  )
  const providers = new Set<string>()
  const providerOf = (provider: string): string => {
    if (providers.size < mostProviders) providers.add(provider)
    return providers.has(provider) ? provider : 'other'
  }
  const known: ReadonlySet<string> = new Set(errorCodes)

  return {
    event: event => {
      if (event.type !== 'ended') return
      const { kind, operation, outcome, codes, tookMs, requestMs, ...step } = event
      const provider = providerOf(step.provider)
      steps({ kind, provider, operation, outcome })
      if (outcome === 'failed')
        for (const code of codes.length === 0 ? ['none'] : codes)
          errors({ kind, provider, code: known.has(code) || code === 'none' ? code : 'other' })
      if (tookMs !== undefined) took(tookMs / 1000, { kind, operation })
      if (requestMs !== undefined) ready(requestMs / 1000, { kind, operation })
    },
    collect: (kinds, requests) => {
      for (const kind of kinds) {
        const sum = requests.get(kind)
        open(sum?.open ?? 0, { kind })
        failing(sum?.failing ?? 0, { kind })
        oldest(sum?.oldestSince === undefined ? 0 : (clock.now() - sum.oldestSince) / 1000, { kind })
      }
    },
  }
}
