import type { Clock } from '../../../clock/clock.ts'
import {
  createReflector,
  type GroupVersionResource,
  type Kubernetes,
} from '../../../kubernetes/kubernetes.ts'
import type { Log } from '../../../log/log.ts'

/** The version of each object of a resource, according to a watch. */
export interface FollowedVersions {
  /**
   * Returns undefined if the object does not exist, or its version is unknown because the watch is down or has reported
   * nothing yet.
   */
  readonly versionOf: (name: string) => string | undefined
  /** Follows until the signal aborts. Call it once. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface FollowOptions {
  /** Requires only the metadata of objects. */
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  /** Must be cluster-scoped. */
  readonly resource: GroupVersionResource
  readonly clock: Clock
  readonly log: Log
}

/**
 * Follows the versions of all objects of a resource, and stores nothing else. After a watch has ended, all versions are
 * unknown until the next one reports, because changes in between would be missed.
 */
export const followVersions = ({ kubernetes, resource, clock, log }: FollowOptions): FollowedVersions => {
  const versions = new Map<string, string>()
  let isUp = false
  const reflector = createReflector({
    kubernetes,
    resource,
    clock,
    log,
    // A streamed watch confirms its start. A resumed one confirms it with a bookmark, up to a minute later.
    streamed: true,
    handler: {
      upsert: ({ metadata: { name, resourceVersion } }) => {
        if (resourceVersion === undefined) versions.delete(name)
        else versions.set(name, resourceVersion)
      },
      deleted: ({ name }) => void versions.delete(name),
      heard: () => {
        isUp = true
      },
      restarted: () => {
        isUp = false
      },
    },
  })
  return {
    versionOf: name => (isUp ? versions.get(name) : undefined),
    run: signal => reflector.run(signal),
  }
}
