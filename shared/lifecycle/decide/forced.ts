import { isForceDeletionConfirmed } from '../../contract/cluster-facts.ts'
import { annotations } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/schemas/cluster.ts'
import type { KubernetesObject } from '../../kubernetes/port.ts'
import { kindRules } from './kind-rules.ts'

/** Whether a delete is a forced one (docs/contract/lifecycle.md#force-delete). */
export const isForced = (kind: KindName, object: KubernetesObject, cluster: Cluster | undefined): boolean => {
  switch (kindRules[kind].forceDelete) {
    case 'shoot annotation':
      return cluster !== undefined && isForceDeletionConfirmed(cluster)
    case 'own annotation':
      return object.metadata.annotations?.[annotations.forceDeletionConfirmation] === 'true'
    case 'none':
      return false
  }
}

/** How often the actuator is tried in a forced delete. With the backoff between them, this takes about two minutes. */
export const mostForcedTries = 8
