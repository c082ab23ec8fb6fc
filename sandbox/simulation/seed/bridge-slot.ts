import { type Bridge, createBridge, createEventRecorder, type ServedTypes } from '../../../bridge/bridge.ts'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { DeclaredHealth } from '../../../shared/contract/health.ts'
import { kindNames } from '../../../shared/contract/kinds.ts'
import { createSender, type Post, type Send } from '../../../shared/events/events.ts'
import { createKubernetes, type Transport } from '../../../shared/kubernetes/kubernetes.ts'
import { createElection, type LeaseTimes } from '../../../shared/leadership/election.ts'
import { alwaysLeading } from '../../../shared/leadership/leadership.ts'
import type { Log } from '../../../shared/log/log.ts'
import { createRunner, type ProgramStarter, parsePrograms } from '../../../shared/runner/runner.ts'
import { processTransport } from '../process/process-transport.ts'
import type { SimulatedProcess } from '../process/simulated-process.ts'
import type { Random } from '../random.ts'

export interface BridgeSlotOptions {
  readonly process: SimulatedProcess
  readonly transport: Transport
  /** The name of the seed, part of the events' source. */
  readonly seed: string
  readonly served: ServedTypes
  readonly declaredHealth: readonly DeclaredHealth[]
  readonly delivery: /** Returns a way to the broker from this process. */
    | { readonly kind: 'broker'; readonly post: (process: SimulatedProcess, timeoutMs: number) => Post }
    /** The bridge starts these programs itself. */
    | {
        readonly kind: 'seed process'
        readonly programs: string
        readonly starter: (process: SimulatedProcess) => ProgramStarter
      }
  /** `none`: it is always the leader. */
  readonly leaseTimes: LeaseTimes | 'none'
  /** The monotonic time of the machine, in ms. */
  readonly elapsed: () => number
  readonly random: Random
  readonly log: Log
}

/** A replica of the bridge: its current process. */
export interface BridgeSlot {
  readonly process: SimulatedProcess
  readonly bridge: Bridge
  /** Ends it as SIGTERM does. */
  stop(): Promise<void>
}

const sendTimeoutMs = 120_000

/** The parts of `startBridge` without sockets, metrics and heartbeats. */
export const startBridgeSlot = (options: BridgeSlotOptions): BridgeSlot => {
  const { process, seed, served, declaredHealth, delivery, leaseTimes, elapsed, random, log } = options
  const { clock, name } = process
  const kubernetes = createKubernetes({
    transport: processTransport(process, options.transport),
    clock,
    random,
  })
  const leadership =
    leaseTimes === 'none'
      ? alwaysLeading
      : createElection({
          kubernetes,
          lease: { namespace: 'trellis', name: 'trellis-bridge' },
          identity: name,
          times: leaseTimes,
          clock,
          elapsed,
          log,
          random,
        })
  const path = pathOf(process, delivery, clock, log)
  const recorder = createEventRecorder({ kubernetes, clock, log, leading: leadership.leading })
  let sent = 0
  const bridge = createBridge({
    newSending: () => `${name}-${++sent}`,
    kubernetes,
    send: path.send,
    clock,
    log,
    selection: {
      kinds: kindNames,
      classes: ['shoot', 'seed', 'garden'],
      namespaces: [],
    },
    source: `/seeds/${seed}`,
    leadership,
    served,
    declaredHealth,
    random,
    observers: [recorder],
  })
  const stopping = new AbortController()
  const running = bridge.run(stopping.signal)
  return {
    process,
    bridge,
    stop: async () => {
      stopping.abort(new Error('the bridge is shutting down'))
      await Promise.race([running.then(path.close), process.ended])
      recorder.close()
      process.kill()
    },
  }
}

const pathOf = (
  process: SimulatedProcess,
  delivery: BridgeSlotOptions['delivery'],
  clock: Clock,
  log: Log,
): { readonly send: Send; close(): Promise<void> } => {
  if (delivery.kind === 'broker') {
    const post = delivery.post(process, sendTimeoutMs)
    const sink = 'http://broker/trellis/default'
    return { send: createSender({ sink, timeoutMs: sendTimeoutMs, clock, post }), close: async () => {} }
  }
  return createRunner({
    programs: parsePrograms(delivery.programs),
    starter: delivery.starter(process),
    clock,
    log,
    idleMs: 60_000,
  })
}
