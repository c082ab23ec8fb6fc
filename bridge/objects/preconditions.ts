import type { Clock } from '../../shared/clock/clock.ts'
import { labels } from '../../shared/contract/constants.ts'
import { clusterKind, type KindName } from '../../shared/contract/kinds.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ListQueue,
} from '../../shared/kubernetes/kubernetes.ts'
import { createReflector, type Reflector } from '../../shared/kubernetes/kubernetes.ts'
import { kindRules } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import type { Observe } from '../bridge-event.ts'
import type { HoldReason } from './decide.ts'

/** What has to hold beside the object itself (docs/contract/lifecycle.md#preconditions): its shoot is not failed. */
export interface Preconditions {
  /** What is in the way of an object of the kind in the namespace; undefined: nothing. */
  hold(kind: KindName, namespace: string | undefined): HoldReason | undefined
  /** Whether the shoot of a namespace is to be hibernated. */
  isAsleep(namespace: string): boolean
  /** Follows Clusters and Namespaces until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves once both are read, or have failed to be read for a first time. */
  known(): Promise<void>
  readonly reflectors: readonly Reflector[]
}

const namespaceResource: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}

/** Whether objects of the kind wait while their shoot is failed. */
export const waitsForFailedShoot = (kind: KindName): boolean => kindRules[kind].stopsForFailedShoot

export const createPreconditions = (options: {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
  /** The answer for the objects of this namespace may have changed. */
  readonly changed: (namespace: string) => void
  /** The shoot of this namespace is to be hibernated, or no longer. */
  readonly sleepChanged: (namespace: string) => void
  readonly observe: Observe
  readonly listQueue: ListQueue
}): Preconditions => {
  const { kubernetes, clock, log, changed, sleepChanged, observe, listQueue } = options
  /** Namespaces of shoots. */
  const shootNamespaces = new Set<string>()
  /** Clusters by name; the value: whether the shoot is failed. */
  const clusters = new Map<string, boolean>()
  /** Names of those whose shoot is to be hibernated. Nothing else of them is kept. */
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
      // A namespace that cannot be read passes, a Cluster that cannot be read does not: that is the contract.
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

/** `shoot.status.lastOperation.state == Failed` of the Shoot that the Cluster embeds. */
const isShootFailed = (cluster: KubernetesObject): boolean => {
  const shoot = field(cluster.spec, 'shoot')
  return field(field(field(shoot, 'status'), 'lastOperation'), 'state') === 'Failed'
}

/** `shoot.spec.hibernation.enabled` of the Shoot that the Cluster embeds. */
const isHibernationWanted = (cluster: KubernetesObject): boolean => {
  const shoot = field(cluster.spec, 'shoot')
  return field(field(field(shoot, 'spec'), 'hibernation'), 'enabled') === true
}
