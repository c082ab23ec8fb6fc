import type { Timestamp } from '../clock/clock.ts'
import type { KindName } from '../contract/kinds.ts'
import { buildEvent, type ExtensionEvent, eventId, traceparentOf } from '../events/events.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { ObservationWork } from './due-observation.ts'
import { routeOf, type SecondaryRoute } from './secondary-route.ts'

/** Returns the id of the event for due work. */
export const observationId = (
  { metadata }: KubernetesObject,
  { cause }: Pick<ObservationWork, 'cause'>,
): string => eventId(metadata.uid ?? '', metadata.generation ?? 0, 'observe', cause)

/** Builds the event for due work. Throws like `buildEvent`. */
export const observationEvent = (about: {
  readonly object: KubernetesObject
  readonly kind: KindName
  readonly route: SecondaryRoute
  readonly work: ObservationWork
  readonly source: string
  readonly now: Timestamp
}): ExtensionEvent => {
  const { object, kind, route, source, now } = about
  const { cause, reason, attempt } = about.work
  return buildEvent({
    ...{ object, kind, operation: 'observe', cause, reason, attempt, source, now },
    provider: routeOf(route),
    traceparent: traceparentOf(observationId(object, about.work)),
  })
}
