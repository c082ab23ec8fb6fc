import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'

/** The event that the bridge would send next for an object, at its time; undefined when nothing is due. */
export const nextEvent = (
  object: KubernetesObject | undefined,
  last: ExtensionEvent,
  now: Timestamp,
): ExtensionEvent | undefined => {
  if (object === undefined) return undefined
  // A function was found for the kind, so there is one.
  const kind = last.kind as KindName
  const due = dueWork(kind, object, now)
  if (due.kind === 'none') return undefined
  const { operation, cause, reason, attempt } = due
  const at = due.kind === 'later' ? due.at : now
  return buildEvent({ object, kind, operation, cause, reason, attempt, source: last.source, now: at })
}
