import { systemClock } from '../shared/clock/clock.ts'
import type { KindName } from '../shared/contract/kinds.ts'
import { buildEvent, eventMessage, type HttpMessage } from '../shared/events/events.ts'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'

/** The event, as it goes over the wire, that the bridge sends for an object with the annotation `reconcile`. */
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
