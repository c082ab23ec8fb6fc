import type { Clock } from '../../../clock/clock.ts'
import { clusterKind } from '../../../contract/kinds.ts'
import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import type { Log } from '../../../log/log.ts'
import type { Lookup, WebhookDefinition } from '../../admission/admission.ts'
import { cacheCurrent } from './cache-current.ts'
import { type FollowedVersions, followVersions } from './follow-versions.ts'

export interface CurrentClustersOptions {
  readonly kubernetes: Lookup
  /** Connects to the same API server, and returns only metadata. */
  readonly metadata: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly log: Log
}

/** Returns a lookup that reads a Cluster once for all reviews of its shoot, until it changes. */
export const currentClusters = ({
  kubernetes,
  metadata,
  clock,
  log,
}: CurrentClustersOptions): { readonly lookup: Lookup } & Pick<FollowedVersions, 'run'> => {
  const { resource } = clusterKind
  const followed = followVersions({ kubernetes: metadata, resource, clock, log })
  return {
    lookup: { get: cacheCurrent(kubernetes, resource, followed, clock), list: kubernetes.list },
    run: followed.run,
  }
}

/** Returns true if any definition reads Clusters. */
export const readsClusters = (definitions: readonly WebhookDefinition[]): boolean =>
  definitions.some(
    ({ permissions, target }) =>
      target === 'seed' &&
      permissions.some(({ resource: { group, plural } }) => {
        const { resource } = clusterKind
        return group === resource.group && plural === resource.plural
      }),
  )
