import { parseTimestamp } from '../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/**
 * Returns the Cluster at the last reconcile of an object, as far as both show it: hibernation is as in the shoot's
 * status, whatever its spec says, and later CA rotations have not started.
 */
export const clusterBefore = (cluster: KubernetesObject, object: KubernetesObject): KubernetesObject => {
  const { shoot, ...rest } = Object(cluster.spec)
  const { spec, status } = Object(shoot)
  const { credentials, ...otherStatus } = Object(status)
  const { rotation } = Object(credentials)
  const last = timeOf(Object(Object(object.status).lastOperation).lastUpdateTime)
  const isLater = timeOf(Object(Object(rotation).certificateAuthorities).lastInitiationTime) > last
  const { hibernation } = Object(spec)
  return {
    ...cluster,
    spec: {
      ...rest,
      shoot: {
        ...shoot,
        spec: {
          ...spec,
          ...(hibernation && { hibernation: { ...hibernation, enabled: otherStatus.hibernated === true } }),
        },
        status: { ...otherStatus, ...(credentials && !isLater && { credentials }) },
      },
    },
  }
}

const timeOf = (time: unknown): number => parseTimestamp(typeof time === 'string' ? time : undefined) ?? 0
