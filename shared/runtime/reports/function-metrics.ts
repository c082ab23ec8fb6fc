import { performance } from 'node:perf_hooks'
import { eventMetrics } from '../answer-events.ts'
import type { Metrics } from '../metrics.ts'
import type { MetricDefinition } from './reported-metrics.ts'
import { definitionsOf } from './reported-metrics.ts'

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const megabytes = (numbers: readonly number[]) => numbers.map(number => number * 1e6)

/** Counts the function's steps by result. The bridge counts the states of the objects. */
export const stepMetrics = (metrics: Metrics) =>
  metrics.counter('trellis_function_steps_total', 'Steps by kind, operation and result.', [
    'kind',
    'operation',
    'outcome',
    'function',
  ])

/** Not `service`: Prometheus uses it for the Service of a target, and an alert for its owner. */
export const cloudService = 'cloud_service'

/** The counters of requests to the API server and to clouds, each with its labels. */
export const requestMetrics = (metrics: Metrics) => {
  const kubernetes = metrics.counter(
    'trellis_function_kubernetes_requests_total',
    'Requests to the API server by method and status; status none if there was no answer.',
    ['method', 'status'],
  )
  const cloud = metrics.counter(
    'trellis_function_cloud_requests_total',
    'Attempted requests to the cloud by service, operation and status; status none if there was no answer.',
    [cloudService, 'operation', 'status'],
  )
  const throttled = metrics.counter(
    'trellis_function_cloud_throttled_total',
    'Requests that the cloud throttled.',
    [cloudService],
  )
  const seconds = metrics.histogram(
    'trellis_function_cloud_request_seconds',
    'Duration of a request to the cloud, by service.',
    [cloudService],
    requestSeconds,
  )
  return { kubernetes, cloud, throttled, seconds }
}

/** Resource usage of a process. */
export interface ProcessUse {
  /** CPU time of all threads, in seconds. */
  readonly cpuSeconds: number
  /** Busy time of the event loop, in seconds. */
  readonly busySeconds: number
  readonly residentBytes: number
}

/** Counts resource usage as differences, so that ended processes are included. */
export const processMetrics = (metrics: Metrics) => {
  const starts = metrics.counter('trellis_function_starts_total', 'Processes that started to serve.')
  const startSeconds = metrics.histogram(
    'trellis_function_start_seconds',
    'Time from the start of a process until it serves.',
    [],
    [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2, 5],
  )
  const outOfMemory = metrics.counter(
    'trellis_function_out_of_memory_total',
    "Processes that ended because V8's heap was full. The next process in the same pod counts them.",
  )
  const cpu = metrics.counter('trellis_function_cpu_seconds_total', 'Processor time.')
  const busy = metrics.counter(
    'trellis_function_event_loop_busy_seconds_total',
    'Time in which the event loop was busy.',
  )
  const resident = metrics.histogram(
    'trellis_function_resident_bytes',
    'Resident memory of a process at each of its reports.',
    [],
    megabytes([60, 80, 100, 120, 140, 160, 180, 200, 256, 320, 384, 512]),
  )
  let last: ProcessUse = { cpuSeconds: 0, busySeconds: 0, residentBytes: 0 }
  return {
    /** @param isAfterDeath true if the previous process ran out of memory */
    started: (seconds: number, isAfterDeath = false) => {
      starts()
      outOfMemory({}, isAfterDeath ? 1 : 0)
      startSeconds(seconds)
    },
    collect: (use: ProcessUse) => {
      cpu({}, Math.max(use.cpuSeconds - last.cpuSeconds, 0))
      busy({}, Math.max(use.busySeconds - last.busySeconds, 0))
      resident(use.residentBytes)
      last = use
    },
  }
}

/** Reads the usage of this process. */
export const useOfProcess = (): ProcessUse => {
  const { user, system } = process.cpuUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    busySeconds: performance.eventLoopUtilization().active / 1e3,
    residentBytes: residentBytes(),
  }
}

/** Returns 0 if the system does not show it, as without /proc. */
const residentBytes = (): number => {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 0
  }
}

/** Returns all metrics of a function's process, which are those allowed in its reports. */
export const functionMetricDefinitions = (): readonly MetricDefinition[] =>
  definitionsOf(metrics => {
    eventMetrics(metrics)
    stepMetrics(metrics)
    requestMetrics(metrics)
    processMetrics(metrics)
    lostReports(metrics)
    lostSteps(metrics)
  })

/** Counts reports with an unknown result. */
export const lostReports = (metrics: Metrics) =>
  metrics.counter(
    'trellis_function_reports_lost_total',
    'Reports of metrics without an answer. Their metrics may be missing.',
  )

/** Counts steps that no report contains. */
export const lostSteps = (metrics: Metrics) =>
  metrics.counter(
    'trellis_function_steps_lost_total',
    'Steps without a report, because too many waited for the bridge.',
  )
