import { parseTimestamp } from '../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/**
 * The Cluster as it was when an object was reconciled last, as far as the two tell: a shoot sleeps as long as its status says
 * so, whatever it is asked to, and CAs that began to rotate later did not rotate yet.
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
