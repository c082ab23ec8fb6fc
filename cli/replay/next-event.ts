import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { dueObservation, observationEvent, parseRoute } from '../../shared/secondary/secondary.ts'

/**
 * Returns the event that the bridge would send next for an object, with its time; undefined if the object is not due.
 */
export const nextEvent = (
  object: KubernetesObject | undefined,
  last: ExtensionEvent,
  now: Timestamp,
): ExtensionEvent | undefined => {
  if (object === undefined) return undefined
  // The kind has a function, so it is a known kind.
  const kind = last.kind as KindName
  const route = parseRoute(last.provider)
  if (route !== undefined) {
    const work = dueObservation(kind, object, route.name)
    if (work.kind === 'none') return undefined
    const at = work.kind === 'later' ? work.at : now
    return observationEvent({ object, kind, route, work, source: last.source, now: at })
  }
  const due = dueWork(kind, object, now)
  if (due.kind === 'none') return undefined
  const { operation, cause, reason, attempt } = due
  const at = due.kind === 'later' ? due.at : now
  return buildEvent({ object, kind, operation, cause, reason, attempt, source: last.source, now: at })
}
