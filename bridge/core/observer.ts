import type { KindName } from '../../shared/contract/kinds.ts'
import type { WaitingRow } from '../../shared/event-queue/event-queue.ts'
import type { KubernetesObject, ObjectKey, Reflector } from '../../shared/kubernetes/kubernetes.ts'
import type { Facts } from '../../shared/lifecycle/lifecycle.ts'
import type { CoreEvent, Observe } from './core-event.ts'
import type { Decision } from './objects/decide.ts'

/** An object of a watched kind, and the decision of the core on it. */
export interface SeenObject {
  readonly kind: KindName
  readonly object: KubernetesObject
  readonly facts: Facts
  /** True if the object existed when the watch began. */
  readonly initial: boolean
  /** undefined: the bridge is not responsible for the object. */
  readonly decision: Decision | undefined
}

/** Follows the core and never changes what it does. The core runs without any observer. */
export interface Observer<Event = CoreEvent> {
  /** Something has happened, in the core or in another observer. */
  readonly event?: Observe<Event>
  /** Called for each version of an object, before the core acts on its decision. */
  readonly objectSeen?: (seen: SeenObject) => void
  readonly objectDeleted?: (kind: KindName, key: ObjectKey) => void
  /** A Cluster, or an object of a resource that steps wait for; `plural` names the resource. */
  readonly resourceSeen?: (plural: string, object: KubernetesObject, initial: boolean) => void
  readonly resourceDeleted?: (plural: string, key: ObjectKey) => void
  /** Runs beside the core. The leadership is released only after it has resolved. */
  readonly run?: (signal: AbortSignal) => Promise<void>
  /** Its own watches, which count for the liveness of the process. */
  readonly watches?: readonly Reflector[]
  /** Returns rows to show beside the objects with open work. */
  readonly waiting?: () => readonly WaitingRow[]
}
