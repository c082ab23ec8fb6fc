import type { Clock } from '../../../clock/clock.ts'
import { isLonger } from '../../../decode/json-bounds.ts'
import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { FollowedVersions } from './follow-versions.ts'

/**
 * The maximum number of cached objects, the most recently used ones. Reviews of a shoot usually arrive in sequence.
 */
const mostObjects = 16
/** Characters of JSON. A longer object is not cached, so all of them take at most about 30 MB. */
const longestObject = 500_000
/**
 * The longest time that an object is cached, in milliseconds: a connection may be dead for a while before its watch
 * notices.
 */
const longestMs = 10_000

interface Cached {
  readonly object: KubernetesObject
  readonly version: string
  readonly readAt: number
}

/**
 * Reads objects of one cluster-scoped resource, and caches some. A Cluster has about 200 KB, and reading it takes
 * longer than the rest of a review. A cached object is returned only while its version is that of the watch. If the
 * version is unknown or the object is missing, the API server is read.
 */
export const cacheCurrent = (
  kubernetes: Pick<Kubernetes, 'get'>,
  resource: GroupVersionResource,
  { versionOf }: Pick<FollowedVersions, 'versionOf'>,
  clock: Pick<Clock, 'now'>,
): Kubernetes['get'] => {
  /** By name, the most recently used one last. */
  const cached = new Map<string, Cached>()

  const isCurrent = (name: string, { version, readAt }: Cached): boolean => {
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
    const before = cached.get(name)
    cached.delete(name)
    if (before !== undefined && isCurrent(name, before)) {
      cached.set(name, before)
      return before.object
    }
    const readAt = clock.now()
    const object = await kubernetes.get(asked, key, options)
    const version = object?.metadata.resourceVersion
    if (object === undefined || version === undefined || versionOf(name) !== version) return object
    if (isLonger(object, longestObject)) return object
    cached.delete(name)
    cached.set(name, { object, version, readAt })
    for (const [oldest] of cached) {
      if (cached.size <= mostObjects) break
      cached.delete(oldest)
    }
    return object
  }
}
