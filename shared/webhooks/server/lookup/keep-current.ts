import type { Clock } from '../../../clock/clock.ts'
import { isLonger } from '../../../contract/json-bounds.ts'
import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { FollowedVersions } from './follow-versions.ts'

/** Most objects that are kept, those that were asked for last. A shoot's reviews come one after the other. */
const mostObjects = 16
/** Of JSON. A longer object is not kept: all of them take some 30 MB at most. */
const longestObject = 500_000
/** Longest time that an object is kept, in ms: a connection can be dead some while before its watch tells. */
const longestMs = 10_000

interface Kept {
  readonly object: KubernetesObject
  readonly version: string
  readonly readAt: number
}

/**
 * Reads objects of one resource, which are in no namespace, and keeps some: a Cluster has some 200 KB, and to read it again takes
 * longer than the rest of a review. A kept one is the answer only while its version is the one that a watch names; whenever that
 * cannot be told, and for an object that is missing, the API server is asked.
 */
export const keepCurrent = (
  kubernetes: Pick<Kubernetes, 'get'>,
  resource: GroupVersionResource,
  { versionOf }: Pick<FollowedVersions, 'versionOf'>,
  clock: Pick<Clock, 'now'>,
): Kubernetes['get'] => {
  /** By name; the one that was asked for last stands last. */
  const kept = new Map<string, Kept>()

  const isCurrent = (name: string, { version, readAt }: Kept): boolean => {
    const age = clock.now() - readAt
    return age >= 0 && age < longestMs && versionOf(name) === version
  }

  return async (asked, key, options) => {
    if (
      asked.group !== resource.group ||
      asked.plural !== resource.plural ||
      asked.version !== resource.version
    )
      return kubernetes.get(asked, key, options)
    const { name } = key
    const before = kept.get(name)
    kept.delete(name)
    if (before !== undefined && isCurrent(name, before)) {
      kept.set(name, before)
      return before.object
    }
    const readAt = clock.now()
    const object = await kubernetes.get(asked, key, options)
    const version = object?.metadata.resourceVersion
    if (object === undefined || version === undefined || versionOf(name) !== version) return object
    if (isLonger(object, longestObject)) return object
    kept.delete(name)
    kept.set(name, { object, version, readAt })
    for (const [oldest] of kept) {
      if (kept.size <= mostObjects) break
      kept.delete(oldest)
    }
    return object
  }
}
