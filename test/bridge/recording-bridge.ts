import type { BridgeEvent } from '../../bridge/bridge.ts'
import { createBridge } from '../../bridge/bridge.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A bridge for DNSRecords with a sink that accepts everything, and the events that it sent. */
export interface RecordingBridge {
  readonly events: readonly ExtensionEvent[]
  readonly observed: readonly BridgeEvent[]
  stop(): Promise<void>
}

export const startRecordingBridge = (
  kubernetes: Pick<Kubernetes, 'get' | 'list' | 'watch'>,
  clock: Clock,
): RecordingBridge => {
  const events: ExtensionEvent[] = []
  const observed: BridgeEvent[] = []
  const bridge = createBridge({
    kubernetes,
    send: async event => {
      events.push(event)
      return { kind: 'accepted' }
    },
    clock,
    log: silent,
    selection: { kinds: ['DNSRecord'], classes: ['shoot'], namespaces: [] },
    source: '/seeds/test',
    initialPerSecond: 10_000,
    // No object is claimed here.
    unclaimedMs: 1_000 * 3_600_000,
    observers: [{ event: event => observed.push(event) }],
  })
  const controller = new AbortController()
  const running = bridge.run(controller.signal)
  return {
    events,
    observed,
    stop: async () => {
      controller.abort()
      await running
    },
  }
}
