import type { Clock } from '../../../shared/clock/clock.ts'
import type { Metrics } from '../../../shared/runtime/runtime.ts'
import type { Core } from '../../core/core.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { type SinkTrouble, sinkTroubles } from '../sink-trouble.ts'

/** The bridge's part of `/metrics`. */
export interface BridgeMetrics {
  event(event: BridgeEvent): void
  /** Records that the Leases of an extension were renewed. */
  renewed(extension: string): void
  /** Sets if this bridge expects heartbeats of an extension: it leads, and there is a namespace. */
  heartbeatExpected(extension: string, isExpected: boolean): void
  /** Reads the gauges that describe state; call it before rendering. */
  collect(bridge: Core, troubles: readonly SinkTrouble[]): void
}

export interface BridgeMetricsOptions {
  /** The extensions with heartbeats that this bridge sends. */
  readonly extensions?: readonly string[]
}

const lagBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

const byKind = ['kind']

const bridgeSeries = (metrics: Metrics) => ({
  emitted: metrics.counter('trellis_bridge_emitted_total', 'Events sent to the sink, including repeats.', [
    'kind',
    'operation',
    'reason',
  ]),
  repeated: metrics.counter(
    'trellis_bridge_repeated_total',
    'Events sent again with the same id because the object was not claimed.',
    byKind,
  ),
  accepted: metrics.counter(
    'trellis_bridge_accepted_total',
    'Events that arrived: the sink accepted them, or their claim was seen first.',
    byKind,
  ),
  unanswered: metrics.counter(
    'trellis_bridge_unanswered_total',
    'Events with neither an answer nor a claim within 5 s.',
    byKind,
  ),
  answers: metrics.counter(
    'trellis_bridge_answers_total',
    "Requests that ended, by the sink's answer: accepted, a status, or none.",
    ['kind', 'status'],
  ),
  retried: metrics.counter('trellis_bridge_retried_total', 'Events that the sink did not accept.', byKind),
  refused: metrics.counter(
    'trellis_bridge_refused_total',
    'Events that the sink itself refused (4xx), or that could not be built (0).',
    ['kind', 'status'],
  ),
  lost: metrics.counter(
    'trellis_bridge_lost_total',
    'Events that the broker could not deliver, and returned as dead letters.',
    byKind,
  ),
  restarts: metrics.counter('trellis_bridge_watch_restarts_total', 'Watches that were restarted.', [
    'resource',
    'reason',
  ]),
  relists: metrics.counter('trellis_bridge_relists_total', 'Lists after the first list.', [
    'resource',
    'reason',
  ]),
  lag: metrics.histogram(
    'trellis_bridge_lag_seconds',
    'Time from the need for an event to its arrival.',
    byKind,
    lagBuckets,
  ),
  took: metrics.histogram('trellis_bridge_send_seconds', 'Duration of a request to the sink.', byKind),
  watched: metrics.gauge('trellis_bridge_watched_objects', 'Objects in the watch cache.', byKind),
  queued: metrics.gauge('trellis_bridge_queue_depth', 'Objects that wait to be sent.', byKind),
  inFlight: metrics.gauge('trellis_bridge_in_flight', 'Objects being sent.', byKind),
  open: metrics.gauge(
    'trellis_bridge_open_requests',
    "Requests without an answer that no longer count in the queue's limit.",
    byKind,
  ),
  unclaimed: metrics.gauge(
    'trellis_bridge_unclaimed',
    'Objects whose event was sent more than once without a claim.',
    byKind,
  ),
  oldest: metrics.gauge(
    'trellis_bridge_oldest_waiting_seconds',
    'Age of the oldest event that was not sent yet.',
    byKind,
  ),
  held: metrics.gauge('trellis_bridge_held', 'Objects that wait for their shoot to recover.', byKind),
  paused: metrics.gauge('trellis_bridge_paused', 'Objects with work that a person has paused.', byKind),
  parked: metrics.gauge(
    'trellis_bridge_parked',
    'Objects whose event was refused and is retried later.',
    byKind,
  ),
  awaited: metrics.gauge('trellis_bridge_awaited_objects', 'Watched objects that steps wait for.', [
    'resource',
  ]),
  healthChecks: metrics.counter(
    'trellis_bridge_health_checks_total',
    'Events that order a health check, by reason and by answer of the sink.',
    ['kind', 'reason', 'outcome'],
  ),
  observations: metrics.counter(
    'trellis_bridge_observations_total',
    'Events for secondary functions, by reason and answer.',
    ['kind', 'function', 'reason', 'outcome'],
  ),
  trouble: metrics.gauge('trellis_bridge_sink_trouble', '1 while the sink has this problem.', ['trouble']),
  heartbeats: metrics.counter('trellis_bridge_heartbeats_total', 'Renewals of heartbeats.', ['extension']),
  heartbeatsExpected: metrics.gauge(
    'trellis_bridge_heartbeat_expected',
    '1 while this bridge must renew the heartbeat: it leads, and the extension has a namespace.',
    ['extension'],
  ),
  ready: metrics.gauge('trellis_bridge_ready', '1 after all objects were listed.', []),
  leader: metrics.gauge('trellis_bridge_leader', '1 while this bridge leads, that is, sends events.', []),
})

export const createBridgeMetrics = (
  metrics: Metrics,
  clock: Pick<Clock, 'now'>,
  { extensions = [] }: BridgeMetricsOptions = {},
): BridgeMetrics => {
  const series = bridgeSeries(metrics)
  // Present from the start: a heartbeat that never happened is as bad as one that stopped.
  for (const extension of extensions) series.heartbeats({ extension }, 0)
  return {
    renewed: extension => series.heartbeats({ extension }),
    heartbeatExpected: (extension, isExpected) =>
      series.heartbeatsExpected(isExpected ? 1 : 0, { extension }),
    event: event => {
      switch (event.type) {
        case 'emitted': {
          const { kind, operation, reason } = event
          series.emitted({ kind, operation, reason })
          if (event.times > 1) series.repeated({ kind })
          return
        }
        case 'accepted':
          series.accepted({ kind: event.kind })
          // A repeat is not late: the first event was accepted in time and not claimed.
          if (event.times === 1) series.lag(event.lagMs / 1000, { kind: event.kind })
          return
        case 'unanswered':
          return series.unanswered({ kind: event.kind })
        case 'answered':
          series.answers({ kind: event.kind, status: String(event.status) })
          series.took(event.tookMs / 1000, { kind: event.kind })
          return
        case 'retried':
          return series.retried({ kind: event.kind })
        case 'lost':
          return series.lost({ kind: event.kind })
        case 'parked':
          return series.refused({ kind: event.kind, status: String(event.status) })
        case 'health': {
          const { kind, reason, outcome } = event
          return series.healthChecks({ kind, reason, outcome })
        }
        case 'observation': {
          const { kind, function: fn, reason, outcome } = event
          return series.observations({ kind, function: fn, reason, outcome })
        }
        case 'restarted': {
          const { resource, reason } = event
          series.restarts({ resource, reason })
          if (event.relist) series.relists({ resource, reason })
          return
        }
        case 'ended':
        case 'due':
        case 'later':
        case 'held':
        case 'unclaimed':
        case 'unknown operation':
        case 'leadership':
        case 'recovered':
        case 'synced':
          return
      }
    },
    collect: (bridge, troubles) => {
      for (const name of sinkTroubles) series.trouble(troubles.includes(name) ? 1 : 0, { trouble: name })
      series.ready(bridge.ready() ? 1 : 0, {})
      series.leader(bridge.leading() ? 1 : 0, {})
      for (const [resource, size] of bridge.awaited()) series.awaited(size, { resource })
      for (const [kind, counts] of bridge.counts()) {
        series.watched(counts.watched, { kind })
        series.queued(counts.queued, { kind })
        series.inFlight(counts.inFlight, { kind })
        series.open(counts.open, { kind })
        series.unclaimed(counts.unclaimed, { kind })
        series.held(counts.held, { kind })
        series.paused(counts.paused, { kind })
        series.parked(counts.parked, { kind })
        series.oldest(counts.oldestSince === undefined ? 0 : (clock.now() - counts.oldestSince) / 1000, {
          kind,
        })
      }
    },
  }
}
