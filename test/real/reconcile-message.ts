import { systemClock } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { buildEvent, eventMessage, type HttpMessage } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** Returns the event that the bridge sends for an object with the annotation `reconcile`, in its wire format. */
export const reconcileMessage = (kind: KindName, object: KubernetesObject): HttpMessage =>
  eventMessage(
    buildEvent({
      object,
      kind,
      operation: 'reconcile',
      cause: 'annotation',
      reason: 'annotation',
      attempt: 0,
      source: '/seeds/bench',
      now: systemClock.now(),
    }),
  )
