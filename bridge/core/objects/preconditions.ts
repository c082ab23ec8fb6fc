import { labels } from '../../../shared/contract/constants.ts'
import { clusterKind, type KindName } from '../../../shared/contract/kinds.ts'
import { type Pause, pauseOf } from '../../../shared/contract/pause.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type {
  GroupVersionResource,
  KubernetesObject,
  Reflector,
} from '../../../shared/kubernetes/kubernetes.ts'
import { kindRules } from '../../../shared/lifecycle/lifecycle.ts'
import type { Observer } from '../observer.ts'
import type { Watch } from '../watch.ts'
import type { HoldReason } from './decide.ts'

/**
 * The conditions beside the object itself: its shoot is not failed (docs/contract/lifecycle.md#preconditions) and not
 * paused.
 */
export interface Preconditions {
  /** Returns why an object of the kind in the namespace is held; undefined: it is not. */
  hold(kind: KindName, namespace: string | undefined): HoldReason | undefined
  /** Returns the pause of the namespace's shoot, in force or not. */
  pause(namespace: string | undefined): Pause | undefined
  /** Resolves when Clusters and Namespaces were read, or could not be read on the first attempt. */
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
const waitsForFailedShoot = (kind: KindName): boolean => kindRules[kind].stopsForFailedShoot

/**
 * Returns why an object of the kind is held.
 *
 * @param shoot the Cluster of its shoot: undefined if it is missing or unreadable. Absent: the namespace is no shoot's
 */
export const holdOf = (
  kind: KindName,
  shoot: { readonly isFailed: boolean | undefined } | undefined,
): HoldReason | undefined => {
  // By contract, an unreadable namespace passes and an unreadable Cluster does not.
  if (shoot === undefined || !waitsForFailedShoot(kind)) return undefined
  if (shoot.isFailed === undefined) return 'no cluster'
  return shoot.isFailed ? 'shoot failed' : undefined
}

/** Follows Clusters and Namespaces if one of the kinds has a shoot. */
export const createPreconditions = (options: {
  readonly kinds: readonly KindName[]
  readonly watch: Watch
  /** The result for the objects of this namespace may have changed; `pauses`: a pause begins or ends. */
  readonly changed: (namespace: string, pauses: boolean) => void
  readonly observers: Required<Pick<Observer, 'resourceSeen' | 'resourceDeleted'>>
}): Preconditions => {
  const { kinds, watch, changed, observers } = options
  if (kinds.every(kind => kindRules[kind].cluster === 'never'))
    return { hold: () => undefined, pause: () => undefined, known: async () => undefined, reflectors: [] }
  const shootNamespaces = new Set<string>()
  /** Clusters by name. No other data is stored. */
  const clusters = new Map<string, { readonly isFailed: boolean; readonly pause: Pause | undefined }>()
  const first = { namespaces: Promise.withResolvers<void>(), clusters: Promise.withResolvers<void>() }

  const namespaces = watch(namespaceResource, {
    upsert: ({ metadata: { name, labels: present } }) => {
      const isShoot = present?.[labels.role] === 'shoot'
      if (isShoot === shootNamespaces.has(name)) return
      if (isShoot) shootNamespaces.add(name)
      else shootNamespaces.delete(name)
      changed(name, false)
    },
    deleted: ({ name }) => {
      if (shootNamespaces.delete(name)) changed(name, false)
    },
    synced: first.namespaces.resolve,
    restarted: () => first.namespaces.resolve(),
  })
  const { resource } = clusterKind
  const clusterReflector = watch(resource, {
    upsert: (cluster, { initial }) => {
      observers.resourceSeen(resource.plural, cluster, initial)
      const { name } = cluster.metadata
      const known = clusters.get(name)
      const isFailed = isShootFailed(cluster)
      const pause = pauseOf(cluster.metadata)
      clusters.set(name, { isFailed, pause })
      const pauses = known?.pause?.until !== pause?.until
      if (pauses || known?.isFailed !== isFailed) changed(name, pauses)
    },
    deleted: key => {
      observers.resourceDeleted(resource.plural, key)
      if (clusters.delete(key.name)) changed(key.name, true)
    },
    synced: first.clusters.resolve,
    restarted: () => first.clusters.resolve(),
  })

  return {
    hold: (kind, namespace) =>
      namespace === undefined || !shootNamespaces.has(namespace)
        ? undefined
        : holdOf(kind, { isFailed: clusters.get(namespace)?.isFailed }),
    pause: namespace => (namespace === undefined ? undefined : clusters.get(namespace)?.pause),
    known: async () => {
      await Promise.all([first.namespaces.promise, first.clusters.promise])
    },
    reflectors: [namespaces, clusterReflector],
  }
}

/** Reads `shoot.status.lastOperation.state == Failed` of the Shoot in the Cluster. */
export const isShootFailed = ({ spec }: KubernetesObject): boolean => {
  const { lastOperation } = recordOf(recordOf(recordOf(spec).shoot).status)
  return recordOf(lastOperation).state === 'Failed'
}
