import { isHibernated, isHibernatingOrWakingUp } from '../../../../shared/contract/cluster-facts.ts'
import type { Cluster, ControlPlane } from '../../../../shared/contract/objects.ts'
import { networkUnavailable } from './network-unavailable.ts'

/** Annotation of the ControlPlane: the nodes of this shoot no longer have a condition of Calico. */
export const cleanUpAnnotation = 'aws.provider.extensions.gardener.cloud/calico-cleanup-completed'

/**
 * The task after a ControlPlane is reconciled (docs/contract/control-plane.md#calico-clean-up):
 *
 * - `clean up`: list the nodes, write the status of those that `withoutCalicoConditions` changes, then annotate with
 *   `true`
 * - `forget`: remove the annotation, because the overlay is on and may be disabled again
 * - `nothing`
 */
export type CalicoCleanUp = 'clean up' | 'forget' | 'nothing'

export const calicoCleanUp = (
  { metadata }: ControlPlane,
  cluster: Cluster,
  { hasOverlay }: { readonly hasOverlay: boolean },
): CalicoCleanUp => {
  const completed = metadata.annotations?.[cleanUpAnnotation]
  if (hasOverlay) return completed === undefined ? 'nothing' : 'forget'
  if (completed === 'true') return 'nothing'
  // The shoot's API server does not respond while the shoot is hibernated.
  return isHibernated(cluster) || isHibernatingOrWakingUp(cluster) ? 'nothing' : 'clean up'
}

interface NodeCondition {
  readonly type?: string
  readonly reason?: string
  readonly [field: string]: unknown
}

/** Reasons that Calico sets. Other reasons, such as `RouteCreated`, are retained. */
const reasons: readonly (string | undefined)[] = ['CalicoIsUp', 'CalicoIsDown']

/** Returns the conditions of a node without those of Calico, or undefined if Calico left none. */
export const withoutCalicoConditions = <C extends NodeCondition>(
  conditions: readonly C[] | undefined,
): readonly C[] | undefined => {
  const kept = (conditions ?? []).filter(
    ({ type, reason }) => !(type === networkUnavailable && reasons.includes(reason)),
  )
  return kept.length === (conditions ?? []).length ? undefined : kept
}
