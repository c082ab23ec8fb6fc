import { awaitedBy as contractAwaitedBy } from '../shared/contract/awaited.ts'
import { monitoredKinds as contractMonitoredKinds, type DeclaredHealth } from '../shared/contract/health.ts'
import type { KindName } from '../shared/contract/kinds.ts'
import { createHealthChecks, type MonitoredKinds } from '../shared/health/schedule/health-checks.ts'
import { createListQueue } from '../shared/kubernetes/kubernetes.ts'
import { alwaysLeading } from '../shared/leadership/leadership.ts'
import { createSecondaries } from '../shared/secondary/schedule/create-secondaries.ts'
import {
  announceTo,
  type Core,
  type CoreOptions,
  createCore,
  createServed,
  createWatch,
  defaultUnclaimedMs,
  type ServedTypes,
  watchedNamespace,
} from './core/core.ts'
import type { BridgeEvent, BridgeObserver } from './observers/bridge-event.ts'
import type { DeliveryPath } from './observers/delivery-path.ts'
import { createStepWatch, type OpenRequests } from './observers/outcomes/step-watch.ts'
import { createUnknownOperations } from './observers/unknown-operations/unknown-operations.ts'

export interface BridgeOptions extends Omit<CoreOptions, 'served' | 'listQueue' | 'observers'> {
  /** Called in order. */
  readonly observers?: readonly BridgeObserver[]
  /** The types of each kind that have a function, if known. Default: learned from claims. */
  readonly served?: ServedTypes
  /** The conditions of each kind, and the resources that they depend on. Default: those of the contract. */
  readonly monitored?: MonitoredKinds
  /** The same of single functions, where it differs. Default: none. */
  readonly declaredHealth?: readonly DeclaredHealth[] | undefined
  /** The interval between two health checks of all objects, in ms. Default: 20 minutes. */
  readonly roundMs?: number
  /** How events reach functions. Default: unknown. */
  readonly deliveryPath?: DeliveryPath | undefined
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

export interface Bridge extends Core {
  /**
   * Returns the reason why conditions of objects of these types (`spec.type`) go stale: no function serves them, events
   * do not reach a function, or it does not answer health checks. Returns undefined if there is none.
   * @param types default: all types
   */
  healthProblem(types?: readonly string[]): string | undefined
  /** Returns the requests that have not succeeded, by kind; a kind without any is absent. */
  requests(): ReadonlyMap<KindName, OpenRequests>
}

/** Creates the core with the observers that follow objects. Each observer is one entry of the list. */
export const createBridge = (options: BridgeOptions): Bridge => {
  const { kubernetes, clock, log, leadership = alwaysLeading, awaitedBy = contractAwaitedBy } = options
  const { monitored = contractMonitoredKinds } = options
  const { leading } = leadership
  const served = createServed(options.served)
  const listQueue = createListQueue(clock)
  const observers: BridgeObserver[] = [...(options.observers ?? [])]
  const observe = announceTo<BridgeEvent>(observers, log).event
  const steps = createStepWatch(clock, observe)
  const health = createHealthChecks({
    ...options,
    ...{ monitored, awaitedBy, served, leading, observe },
    namespace: watchedNamespace(options.selection, true),
    watch: createWatch({ kubernetes, clock, log, listQueue }, observe),
    brokenFor: options.deliveryPath?.brokenFor,
  })
  const secondaries = createSecondaries({
    ...options,
    ...{ leading, observe, unclaimedMs: options.unclaimedMs ?? defaultUnclaimedMs },
  })
  observers.push(steps, createUnknownOperations({ clock, leading, observe }), health, secondaries)
  const core = createCore({ ...options, served, listQueue, observers })
  return { ...core, healthProblem: health.problemOf, requests: steps.requests }
}
