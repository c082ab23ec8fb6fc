import { isHibernated, isHibernatingOrWakingUp } from '../../../contract/cluster-facts.ts'
import type { Cluster, ControlPlane } from '../../../contract/objects.ts'
import type { ShootCleanUp } from '../../provider.ts'
import { cleanUpNodes } from './clean-up-nodes.ts'

/**
 * Returns the one-time removal of Calico's conditions from the nodes of a shoot whose overlay is off
 * (docs/contract/control-plane.md#calico-clean-up). With the overlay on, the annotation is removed, because the overlay
 * may be disabled again.
 *
 * @param annotation of the ControlPlane: the nodes no longer have a condition of Calico
 */
export const calicoShootCleanUp = (
  annotation: string,
  { metadata }: ControlPlane,
  cluster: Cluster,
  networking: { readonly hasOverlay: boolean },
): ShootCleanUp => ({
  annotation,
  due: calicoCleanUp(metadata.annotations?.[annotation], cluster, networking),
  run: cleanUpNodes,
})

const calicoCleanUp = (
  completed: string | undefined,
  cluster: Cluster,
  { hasOverlay }: { readonly hasOverlay: boolean },
): ShootCleanUp['due'] => {
  if (hasOverlay) return completed === undefined ? 'nothing' : 'forget'
  if (completed === 'true') return 'nothing'
  // The shoot's API server does not respond while the shoot is hibernated.
  return isHibernated(cluster) || isHibernatingOrWakingUp(cluster) ? 'nothing' : 'clean up'
}
