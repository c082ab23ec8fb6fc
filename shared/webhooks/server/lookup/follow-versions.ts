import type { Clock } from '../../../clock/clock.ts'
import {
  createReflector,
  type GroupVersionResource,
  type Kubernetes,
} from '../../../kubernetes/kubernetes.ts'
import type { Log } from '../../../log/log.ts'

/** Which version each object of a resource has, as a watch tells it. */
export interface FollowedVersions {
  /** Undefined: there is no such object, or nobody knows, as the watch is down or has said nothing yet. */
  readonly versionOf: (name: string) => string | undefined
  /** Follows until the signal aborts. Call it once. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface FollowOptions {
  /** Needs no more of an object than its metadata. */
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  /** In no namespace. */
  readonly resource: GroupVersionResource
  readonly clock: Clock
  readonly log: Log
}

/**
 * Follows the versions of all objects of a resource; of each it keeps no more than that. A watch that has ended tells nothing
 * until the next one has said something: what changed in between would be missed.
 */
export const followVersions = ({ kubernetes, resource, clock, log }: FollowOptions): FollowedVersions => {
  const versions = new Map<string, string>()
  let isUp = false
  const reflector = createReflector({
    kubernetes,
    resource,
    clock,
    log,
    // Says at its beginning that it is there; what resumes says so with a bookmark, up to a minute later.
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
