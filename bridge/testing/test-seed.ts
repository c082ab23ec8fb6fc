import { afterEach, expect } from 'vitest'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { ExtensionEvent, SendOutcome } from '../../shared/events/events.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type Bridge, type BridgeOptions, createBridge } from '../create-bridge.ts'
import type { BridgeEvent } from '../observers/bridge-event.ts'
import { type FakeKubernetes, fakeKubernetes } from './fake-kubernetes.ts'

const start = Date.parse('2026-11-21T12:00:00.000Z')
export const namespace = 'shoot--foo--bar'
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** An in-memory seed with a function as its sink, on a virtual clock. */
export interface BridgeTestSeed {
  readonly clock: VirtualClock
  readonly kubernetes: FakeKubernetes
  readonly events: ExtensionEvent[]
  readonly observed: BridgeEvent[]
  /** Returns the sink's answer. Default: accepted. */
  sink: (event: ExtensionEvent, signal: AbortSignal) => SendOutcome | Promise<SendOutcome>
  /** Starts a bridge on this seed; the test may stop it and start another. */
  bridge(options?: Partial<BridgeOptions>): Promise<{ readonly bridge: Bridge; stop(): Promise<void> }>
  /** Creates or changes an object of a kind. */
  put(kind: KindName, name: string, changes?: RecordChanges): KubernetesObject
  /** @param pause the text of the annotation */
  shoot(state: string, pause?: string): void
  close(): Promise<void>
}

export interface RecordChanges {
  readonly namespace?: string
  readonly operation?: string
  readonly timestamp?: string
  readonly last?: { readonly type?: string; readonly state: string; readonly at?: string }
  readonly step?: Partial<StepAnnotation>
  readonly deleted?: boolean
  readonly generation?: number
  readonly spec?: object
  readonly labels?: Record<string, string>
  /** The text of the annotation. */
  readonly pause?: string
}

/** Returns a factory for seeds. After each test, it ends what they have started and checks that no timer remains. */
export const useSeeds = (): (() => BridgeTestSeed) => {
  const seeds: BridgeTestSeed[] = []
  afterEach(async () => {
    for (const { close } of seeds.splice(0)) await close()
  })
  return () => {
    const seed = createSeed()
    seeds.push(seed)
    return seed
  }
}

const createSeed = (): BridgeTestSeed => {
  const stops = new Set<() => Promise<void>>()
  const clock = virtualClock(start)
  const kubernetes = fakeKubernetes()
  const seed: BridgeTestSeed = {
    clock,
    kubernetes,
    events: [],
    observed: [],
    sink: () => ({ kind: 'accepted' }),
    bridge: async (options = {}) => {
      const bridge = createBridge({
        kubernetes: kubernetes.port,
        send: async (event, signal) => {
          seed.events.push(event)
          return seed.sink(event, signal)
        },
        clock,
        log: silent,
        selection: {
          kinds: ['DNSRecord', 'Infrastructure', 'BackupBucket', 'Bastion'],
          classes: ['shoot'],
          namespaces: [],
        },
        source: '/seeds/test',
        // Health has separate suites (bridge/health).
        monitored: {},
        observers: [{ event: event => seed.observed.push(event) }],
        ...options,
      })
      const controller = new AbortController()
      let ended = false
      void bridge.run(controller.signal).then(() => {
        ended = true
      })
      const stop = async () => {
        stops.delete(stop)
        controller.abort()
        for (let second = 0; !ended && second < 20; second++) await clock.advance(1_000)
        expect(ended, 'the bridge ends').toBe(true)
      }
      stops.add(stop)
      await clock.advance(0)
      return { bridge, stop }
    },
    put: (kind, name, changes = {}) => {
      const { plural, namespaced } = kinds[kind].resource
      const step: StepAnnotation | undefined = changes.step && {
        phase: 'claimed',
        operation: 'reconcile',
        attempt: 0,
        until: '2026-11-21T12:01:00.000Z',
        event: 'unknown',
        request: '',
        generation: 1,
        was: '',
        ...changes.step,
      }
      return kubernetes.put(kinds[kind].resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind,
        metadata: {
          name,
          ...(namespaced ? { namespace: changes.namespace ?? namespace } : {}),
          ...(changes.generation === undefined ? {} : { generation: changes.generation }),
          ...(changes.labels === undefined ? {} : { labels: changes.labels }),
          finalizers: [`extensions.gardener.cloud/${kind.toLowerCase()}`],
          annotations: {
            ...(changes.operation === undefined ? {} : { [annotations.operation]: changes.operation }),
            [annotations.timestamp]: changes.timestamp ?? '2026-11-21T11:59:59.123456789Z',
            ...(step === undefined ? {} : { [annotations.step]: formatStepAnnotation(step) }),
            ...(changes.pause === undefined ? {} : { [annotations.pause]: changes.pause }),
          },
          ...(changes.deleted ? { deletionTimestamp: '2026-11-21T11:59:58Z' } : {}),
        },
        spec: { type: `test-${plural}`, ...changes.spec },
        status:
          changes.last === undefined
            ? {}
            : {
                lastOperation: {
                  type: changes.last.type ?? 'Reconcile',
                  state: changes.last.state,
                  lastUpdateTime: changes.last.at ?? '2026-11-21T11:00:00Z',
                },
              },
      })
    },
    shoot: (state, pause) => {
      kubernetes.put(clusterKind.resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Cluster',
        metadata: {
          name: namespace,
          ...(pause !== undefined && { annotations: { [annotations.pause]: pause } }),
        },
        spec: { shoot: { status: { lastOperation: { state } } } },
      })
    },
    close: async () => {
      for (const stop of stops) await stop()
      expect(clock.pending(), 'no timer is left behind').toEqual([])
    },
  }
  kubernetes.put(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'gardener.cloud/role': 'shoot' } },
  })
  seed.shoot('Succeeded')
  return seed
}

export const succeeded = { state: 'Succeeded' }
/** A claim and its outcome, as the bridge sees them. */
export const claimed = (event: ExtensionEvent | undefined): RecordChanges => ({
  last: { state: 'Processing' },
  step: { event: event?.id ?? '' },
})

export const inWords = (events: readonly ExtensionEvent[]) =>
  events.map(({ operation, kind, name, reason }) => `${operation} ${kind} ${name} (${reason})`)
