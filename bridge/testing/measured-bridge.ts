import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createReportReceiver } from '../../shared/reports/reports.ts'
import { createMetrics, type MetricsReport, reportPath } from '../../shared/runtime/runtime.ts'
import type { BridgeOptions } from '../create-bridge.ts'
import { createHeartbeat, type HeartbeatOptions } from '../observers/heartbeat/heartbeat.ts'
import { createBridgeMetrics } from '../observers/metrics/metrics.ts'
import { createOutcomeMetrics } from '../observers/outcomes/outcome-metrics.ts'
import type { BridgeTestSeed } from './test-seed.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A bridge on an in-memory seed, with the metrics of the process. */
export const measuredBridge = async (seed: BridgeTestSeed, options: Partial<BridgeOptions> = {}) => {
  const { clock } = seed
  const metrics = createMetrics()
  const own = createBridgeMetrics(metrics, clock)
  const outcomes = createOutcomeMetrics(metrics, clock)
  const reports = createReportReceiver({
    metrics,
    clock,
    log: silent,
    senders: {
      senderOf: async program => (program === undefined ? { kind: 'refused' } : { kind: 'program', program }),
    },
  })
  const { bridge, stop } = await seed.bridge({ ...options, observers: [own, outcomes] })
  return {
    bridge,
    stop,
    render: async (): Promise<string> => {
      own.collect(bridge, [])
      outcomes.collect(bridge.counts().keys(), bridge.requests())
      return (await reports.renderAfter(metrics)).text
    },
    /** Sends a report as a function, or a text as an unknown sender. */
    report: (report: MetricsReport | string): Promise<number> =>
      new Promise(resolve => {
        const body = typeof report === 'string' ? report : JSON.stringify(report)
        const request = Object.assign(Readable.from([Buffer.from(body)]), {
          method: 'POST',
          url: reportPath,
          headers: {
            'content-length': String(Buffer.byteLength(body)),
            authorization: typeof report === 'string' ? 'unknown' : report.program,
          },
        })
        const response = {
          writeHead: (status: number) => ({ end: () => resolve(status) }),
          destroy: () => resolve(0),
        }
        reports.answer(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      }),
    /** Renews heartbeats until the signal aborts. */
    beat: (
      kubernetes: HeartbeatOptions['kubernetes'],
      extensions: HeartbeatOptions['extensions'],
      signal: AbortSignal,
    ): Promise<void> =>
      createHeartbeat({
        kubernetes,
        clock,
        log: silent,
        extensions,
        renewMs: 30_000,
        leading: bridge.leading,
        problemOf: ({ types }) => bridge.healthProblem(types),
        renewed: own.renewed,
        expected: own.heartbeatExpected,
      }).run(signal),
  }
}
