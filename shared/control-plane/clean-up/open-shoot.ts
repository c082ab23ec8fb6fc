import { findShoot } from '../../shoot/shoot.ts'
import type { OpenShoot } from './clean-up-shoot.ts'

/**
 * Connects to a shoot's API server with the kubeconfig that gardenlet stores in its namespace
 * (docs/contract/control-planes.md#clean-up-in-the-shoot).
 */
export const openShoot: OpenShoot = async ({ object, kubernetes, clock, signal }) => {
  const { namespace = '' } = object.metadata
  const shoot = await findShoot({ kubernetes, namespace, clock, signal })
  if (shoot === undefined)
    throw new Error(`secrets "gardener-internal" and "gardener" not found in namespace ${namespace}`)
  return shoot
}
