import type { Clock } from '../../../clock/clock.ts'
import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { findShoot } from '../../../shoot/shoot.ts'
import type { ReachShoot } from './lookups.ts'

/** Opens a shoot's API server with gardenlet's kubeconfig in its namespace. */
export const openShootOf =
  (kubernetes: Pick<Kubernetes, 'get'>, clock: Clock): ReachShoot =>
  async (namespace, signal) => {
    const shoot = await findShoot({ kubernetes, namespace, clock, signal })
    if (shoot === undefined) throw new ShootUnknownError(namespace)
    return shoot
  }

/** Without a kubeconfig, the review gets no answer. */
class ShootUnknownError extends Error {
  override readonly name = 'NotFoundError'
  constructor(namespace: string) {
    super(`the namespace ${namespace} has no kubeconfig of a shoot`)
  }
}
