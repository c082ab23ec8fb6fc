import { isHibernated, isHibernatingOrWakingUp } from '../../../../shared/contract/cluster-facts.ts'
import type { Cluster, ControlPlane } from '../../../../shared/contract/objects.ts'
import { networkUnavailable } from './network-unavailable.ts'

/** On the ControlPlane: nodes of this shoot have no condition of Calico's any more. */
export const cleanUpAnnotation = 'aws.provider.extensions.gardener.cloud/calico-cleanup-completed'

/**
 * What is to do once a ControlPlane is reconciled (docs/contract/control-plane.md#calico-clean-up):
 *
 * - `clean up`: list the nodes, write the status of those that `withoutCalicoConditions` changes, then annotate with `true`
 * - `forget`: remove the annotation, as the overlay is on and may be switched off again
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
  // Nobody answers in the shoot while it sleeps.
  return isHibernated(cluster) || isHibernatingOrWakingUp(cluster) ? 'nothing' : 'clean up'
}

interface NodeCondition {
  readonly type?: string
  readonly reason?: string
  readonly [field: string]: unknown
}

/** Reasons that Calico gives; those of others, such as `RouteCreated`, stay. */
const reasons: readonly (string | undefined)[] = ['CalicoIsUp', 'CalicoIsDown']

/** The conditions of a node without those that Calico left behind; undefined when there is none of them. */
export const withoutCalicoConditions = <C extends NodeCondition>(
  conditions: readonly C[] | undefined,
): readonly C[] | undefined => {
  const kept = (conditions ?? []).filter(
    ({ type, reason }) => !(type === networkUnavailable && reasons.includes(reason)),
  )
  return kept.length === (conditions ?? []).length ? undefined : kept
}
