import type { Clock } from '../../../shared/clock/clock.ts'
import { labels } from '../../../shared/contract/constants.ts'
import { clusterKind, type KindName } from '../../../shared/contract/kinds.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ListQueue,
} from '../../../shared/kubernetes/kubernetes.ts'
import { createReflector, type Reflector } from '../../../shared/kubernetes/kubernetes.ts'
import { kindRules } from '../../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { Observe } from '../bridge-event.ts'
import type { HoldReason } from './decide.ts'

/** The conditions beside the object itself (docs/contract/lifecycle.md#preconditions): its shoot is not failed. */
export interface Preconditions {
  /** Returns why an object of the kind in the namespace is held; undefined: it is not. */
  hold(kind: KindName, namespace: string | undefined): HoldReason | undefined
  /** Returns true if the shoot of a namespace is to be hibernated. */
  isAsleep(namespace: string): boolean
  /** Watches Clusters and Namespaces until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when both were read, or could not be read on the first attempt. */
  known(): Promise<void>
  readonly reflectors: readonly Reflector[]
}

const namespaceResource: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}

/** Returns true if objects of the kind wait while their shoot is failed. */
export const waitsForFailedShoot = (kind: KindName): boolean => kindRules[kind].stopsForFailedShoot

export const createPreconditions = (options: {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
  /** The result for the objects of this namespace may have changed. */
  readonly changed: (namespace: string) => void
  /** The shoot of this namespace is now to be hibernated, or no longer. */
  readonly sleepChanged: (namespace: string) => void
  readonly observe: Observe
  readonly listQueue: ListQueue
}): Preconditions => {
  const { kubernetes, clock, log, changed, sleepChanged, observe, listQueue } = options
  /** Namespaces of shoots. */
  const shootNamespaces = new Set<string>()
  /** Clusters by name; the value is true if the shoot is failed. */
  const clusters = new Map<string, boolean>()
  /** Names of the Clusters with a shoot that is to be hibernated. No other data is stored. */
  const asleep = new Set<string>()
  const noteSleep = (name: string, isAsleep: boolean) => {
    if (isAsleep === asleep.has(name)) return
    if (isAsleep) asleep.add(name)
    else asleep.delete(name)
    sleepChanged(name)
  }

  const first = { namespaces: Promise.withResolvers<void>(), clusters: Promise.withResolvers<void>() }

  const namespaces = createReflector({
    kubernetes,
    resource: namespaceResource,
    streamed: true,
    listQueue,
    clock,
    log,
    handler: {
      upsert: ({ metadata: { name, labels: present } }) => {
        const isShoot = present?.[labels.role] === 'shoot'
        if (isShoot === shootNamespaces.has(name)) return
        if (isShoot) shootNamespaces.add(name)
        else shootNamespaces.delete(name)
        changed(name)
      },
      deleted: ({ name }) => {
        if (shootNamespaces.delete(name)) changed(name)
      },
      synced: first.namespaces.resolve,
      restarted: about => {
        first.namespaces.resolve()
        observe({ type: 'restarted', resource: 'namespaces', ...about })
      },
      recovered: () => observe({ type: 'recovered', resource: 'namespaces' }),
    },
  })
  const clusterReflector = createReflector({
    kubernetes,
    resource: clusterKind.resource,
    streamed: true,
    listQueue,
    clock,
    log,
    handler: {
      upsert: cluster => {
        const { name } = cluster.metadata
        noteSleep(name, isHibernationWanted(cluster))
        const isFailed = isShootFailed(cluster)
        if (clusters.get(name) === isFailed) return
        clusters.set(name, isFailed)
        changed(name)
      },
      deleted: ({ name }) => {
        noteSleep(name, false)
        if (clusters.delete(name)) changed(name)
      },
      synced: first.clusters.resolve,
      restarted: about => {
        first.clusters.resolve()
        observe({ type: 'restarted', resource: 'clusters', ...about })
      },
      recovered: () => observe({ type: 'recovered', resource: 'clusters' }),
    },
  })

  return {
    hold: (kind, namespace) => {
      if (namespace === undefined || !waitsForFailedShoot(kind)) return undefined
      if (kind === 'DNSRecord' && namespace === 'garden') return undefined
      // By contract, an unreadable namespace passes and an unreadable Cluster does not.
      if (!shootNamespaces.has(namespace)) return undefined
      switch (clusters.get(namespace)) {
        case undefined:
          return 'no cluster'
        case true:
          return 'shoot failed'
        case false:
          return undefined
      }
    },
    isAsleep: namespace => asleep.has(namespace),
    run: async signal => {
      await Promise.all([namespaces.run(signal), clusterReflector.run(signal)])
    },
    known: async () => {
      await Promise.all([first.namespaces.promise, first.clusters.promise])
    },
    reflectors: [namespaces, clusterReflector],
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** Reads `shoot.status.lastOperation.state == Failed` of the Shoot in the Cluster. */
const isShootFailed = (cluster: KubernetesObject): boolean => {
  const shoot = field(cluster.spec, 'shoot')
  return field(field(field(shoot, 'status'), 'lastOperation'), 'state') === 'Failed'
}

/** Reads `shoot.spec.hibernation.enabled` of the Shoot in the Cluster. */
const isHibernationWanted = (cluster: KubernetesObject): boolean => {
  const shoot = field(cluster.spec, 'shoot')
  return field(field(field(shoot, 'spec'), 'hibernation'), 'enabled') === true
}
