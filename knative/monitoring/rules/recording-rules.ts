import { type RecordingRule, type RuleScope, selector } from './alert.ts'

/**
 * Rules that dashboards and alerts share. Every bridge counts the same objects, so these take the maximum,
 * never the sum. Function reports arrive at only one bridge, so these take the sum.
 */
export const recordingRules = (scope: RuleScope): readonly RecordingRule[] => {
  const ours = selector(scope)
  const shown = (metric: string, labels: string) =>
    `sum by (${labels}) (max by (${labels}) (rate(${ours(metric)}[5m])))`
  return [
    {
      record: 'trellis:object_steps:rate5m',
      expr: shown('trellis_object_steps_total', 'namespace, kind, provider, operation, outcome'),
      why: 'Steps per second, by outcome.',
    },
    {
      record: 'trellis:object_errors:rate5m',
      expr: shown('trellis_object_errors_total', 'namespace, kind, provider, code'),
      why: 'Failed steps per second, by code.',
    },
    {
      record: 'trellis:object_step_seconds_bucket:rate5m',
      expr: shown('trellis_object_step_seconds_bucket', 'namespace, kind, operation, le'),
      why: 'For quantiles of the duration of a step.',
    },
    {
      record: 'trellis:object_ready_seconds_bucket:rate5m',
      expr: shown('trellis_object_ready_seconds_bucket', 'namespace, kind, operation, le'),
      why: 'For quantiles of the time from a request to its success.',
    },
    {
      record: 'trellis:cloud_requests:rate5m',
      expr: `sum by (namespace, program, cloud_service, status) (rate(${ours('trellis_function_cloud_requests_total')}[5m]))`,
      why: 'Requests to clouds per second.',
    },
    {
      record: 'trellis:cloud_throttled:rate5m',
      expr: `sum by (namespace, program, cloud_service) (rate(${ours('trellis_function_cloud_throttled_total')}[5m]))`,
      why: 'Throttled requests to clouds per second.',
    },
  ]
}
