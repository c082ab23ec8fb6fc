import type { VirtualClock } from '../../../shared/clock/clock.ts'
import type { Send } from '../../../shared/events/events.ts'
import { type Kubernetes, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import type { Leadership } from '../../../shared/leadership/leadership.ts'
import { type Bridge, createBridge } from '../../create-bridge.ts'
import type { Slot } from './command.ts'
import { awaitedThings } from './simulated-seed.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A bridge process. */
export interface SimulatedBridge {
  readonly bridge: Bridge
  /** Returns true until it is killed. */
  alive(): boolean
  /** Ends it as SIGTERM does. */
  stop(): Promise<void>
  /** Ends it as SIGKILL does: its pending code has no effect. */
  kill(): Promise<void>
}

/** The leadership, as the test sets it. */
export interface Hand {
  readonly leader: () => Slot | 'none'
  /** `silently`: no notification; the previous leader notices only when it asks. */
  set(who: Slot | 'none', silently: boolean): void
  of(slot: Slot): Leadership
}

export const createHand = (): Hand => {
  let leader: Slot | 'none' = 'first'
  const listeners = new Map<Slot, (leading: boolean) => void>()
  return {
    leader: () => leader,
    set: (who, silently) => {
      leader = who
      for (const [slot, listener] of listeners) {
        // The new leader always learns of it, because it has taken the lease.
        if (slot === who || !silently) listener(slot === who)
      }
    },
    of: slot => ({
      leading: () => leader === slot,
      run: async (signal, changed) => {
        listeners.set(slot, changed)
        changed(leader === slot)
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
        if (listeners.get(slot) === changed) listeners.delete(slot)
      },
    }),
  }
}

export const startSimulatedBridge = (options: {
  readonly clock: VirtualClock
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list' | 'watch'>
  readonly leadership: Leadership
  /** `alive`: returns true while the sending process lives. */
  readonly send: (alive: () => boolean) => Send
}): SimulatedBridge => {
  const { clock, kubernetes, leadership } = options
  let isAlive = true
  const alive = () => isAlive
  const whileAlive = <T>(act: () => Promise<T>): Promise<T> =>
    isAlive ? act() : Promise.reject(new KubernetesError(0, 'dead', 'this process is dead'))
  const bridge = createBridge({
    kubernetes: {
      get: (...of) => whileAlive(() => kubernetes.get(...of)),
      list: (...of) => whileAlive(() => kubernetes.list(...of)),
      watch: kubernetes.watch,
    },
    send: options.send(alive),
    clock,
    log: silent,
    selection: { kinds: ['DNSRecord'], classes: ['shoot'], namespaces: [] },
    source: '/seeds/test',
    leadership,
    awaitedBy: { DNSRecord: [{ resource: awaitedThings, isComplete: ({ spec }) => spec === 'settled' }] },
  })
  const controller = new AbortController()
  let ended = false
  void bridge.run(controller.signal).then(() => {
    ended = true
  })
  const stop = async () => {
    controller.abort()
    while (!ended) await clock.advance(500)
  }
  return {
    bridge,
    alive,
    stop,
    kill: async () => {
      isAlive = false
      await stop()
    },
  }
}
