import type { KubernetesObject } from '../../../../../shared/kubernetes/kubernetes.ts'
import { type Otherwise, shootWith, withOther } from '../../testing/reviews.ts'

/** An update of a Shoot, and what admission announces. */
export interface ShootUpdate {
  readonly name: string
  /** Changes of the Shoot `base` before the update. */
  readonly from?: Otherwise
  readonly to: Otherwise
  /** Changes that gardenlet makes for a requested operation. */
  readonly gardenlet?: Otherwise
  /** True if gardenlet rolls the nodes itself, without the Worker. */
  readonly isByGardenlet?: true
  readonly lines: readonly string[]
}

/** The path of the only pool. */
export const pool = 'spec.provider.workers.0'

/** A Shoot of Kubernetes 1.33 with one pool of 1 to 3 nodes. */
export const base = (): KubernetesObject =>
  shootWith({ [`${pool}.maxSurge`]: 1, [`${pool}.maxUnavailable`]: 0, 'status.technicalID': 'shoot--p--s' })

/** Returns the Shoot before and after an update, and after gardenlet's changes. */
export const shootsOf = ({ from = {}, to, gardenlet = {} }: ShootUpdate) => {
  const former = withOther(base(), from)
  const next = withOther(former, to)
  return { former, next, reconciled: withOther(next, gardenlet) }
}
