import type { ExtensionEvent } from '../events/event.ts'
import type { Metrics } from './metrics.ts'

export interface EventMetrics {
  /** Every answer: recorded, busy, unrecorded, malformed, foreign, too-large, incomplete, draining, full, not-an-event. */
  answered(outcome: string): void
  /** Events that reached the function's own code. */
  handled(event: ExtensionEvent, outcome: string, durationMs: number): void
  inFlight(count: number): void
}

/** The metrics of a function's host. Labels come from a small set each: nothing a sender writes becomes one. */
export const eventMetrics = (metrics: Metrics): EventMetrics => {
  const answers = metrics.counter('trellis_function_answers_total', 'Answers to POST requests, by outcome.', [
    'outcome',
  ])
  const seconds = metrics.histogram(
    'trellis_function_event_seconds',
    'Time from parsed event to outcome, by operation and outcome.',
    ['operation', 'outcome'],
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
  )
  const inFlight = metrics.gauge('trellis_function_events_in_flight', 'Events being handled now.')
  return {
    answered: outcome => answers({ outcome }),
    handled: (event, outcome, durationMs) =>
      seconds(durationMs / 1000, { operation: event.operation, outcome }),
    inFlight: count => inFlight(count),
  }
}
