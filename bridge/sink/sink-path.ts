import { connect } from 'node:net'
import type { Clock } from '../../shared/clock/clock.ts'
import { createSender } from '../../shared/events/events.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { defaultConcurrency } from '../core/core.ts'
import type { EventPath } from '../process/event-path.ts'
import type { BridgeSettings } from '../process/settings.ts'
import { createSinkAgent } from './sink-agent.ts'
import { tokenFile } from './token-file.ts'

/** Connects to the sink and closes the connection; rejects if that fails within the time (ms). Sends nothing. */
const reachSink = (sink: string, limitMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port, protocol } = new URL(sink)
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      timeout: limitMs,
    })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(new Error(`no connection in ${limitMs / 1000} s`)))
    socket.once('error', reject)
  })

/** Learns if the sink can be reached, besides by events. */
export interface SinkWatch {
  sinkFailed(failure: { readonly why: string; readonly code?: string | undefined }): void
  sinkReached(): void
}

/** Sends events to the sink of the settings, and reports an unreachable sink before the first event. */
export const sinkPath = (options: {
  readonly settings: BridgeSettings & { readonly sink: string }
  readonly outages: SinkWatch
  readonly clock: Clock
}): EventPath => {
  const { settings, outages, clock } = options
  const agent = createSinkAgent({
    sink: settings.sink,
    idleConnections: defaultConcurrency,
    caCerts: settings.sinkCaCerts,
    caFile: settings.sinkCaFile,
  })
  const stop = new AbortController()
  let reached: Promise<void> | undefined
  return {
    // Otherwise a wrong address would show only with the first event.
    open: () => {
      reached = untilReached(settings, outages, clock, stop.signal)
    },
    send: createSender({
      sink: settings.sink,
      agent,
      timeoutMs: sendTimeoutMs,
      connectMs: connectTimeoutMs,
      clock,
      extensions: settings.ceOverrides,
      token: tokenFile(settings.sinkTokenFile, clock),
    }),
    brokenFor: () => undefined,
    collect: () => {},
    close: async () => {
      stop.abort(new Error('the bridge is shutting down'))
      await reached
      agent.destroy()
    },
  }
}

/** Time limit for a connection to the sink, including TLS, in ms. */
const connectTimeoutMs = 10_000

/**
 * Time limit for the sink's answer to an event, in ms. A broker may answer only after its last retry: more than the
 * retries of each profile can take.
 */
const sendTimeoutMs = 600_000

/** The interval between two connection attempts to an unused sink, in ms. */
const reachAgainMs = 15_000

/** Reports an unreachable sink until it can be reached. */
const untilReached = async (
  { sink }: { readonly sink: string },
  outages: SinkWatch,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await reachSink(sink, connectTimeoutMs)
      return outages.sinkReached()
    } catch (error) {
      outages.sinkFailed({ why: messageOf(error), code: (error as NodeJS.ErrnoException).code })
    }
    await clock.sleep(reachAgainMs, signal).catch(() => {})
  }
}
