import type { KubernetesObject, ObjectKey } from '../port.ts'

/**
 * Why the watch was begun again: `closed` by the server is the normal one; `unhandled`: the handler threw at objects,
 * and all are read again, so that it gets them again.
 */
export type RestartReason = 'closed' | 'idle' | 'expired' | 'failed' | 'absent' | 'unhandled'

/**
 * What happens to the objects of a resource. Calls come one at a time and in order; one that throws is logged, its
 * object is given again after a while, and the others go on.
 */
export interface ReflectorHandler {
  /**
   * The object is there, is new or has changed. `initial`: it was there when the reflector first listed. An object
   * that a relist finds unchanged is not given again.
   */
  upsert(object: KubernetesObject, about: { readonly initial: boolean }): void
  /** The object is gone, or no longer matches the selector. */
  deleted(key: ObjectKey): void
  /** A list is complete: exactly these are there. Comes after its `upsert` and `deleted` calls. */
  replaced?(keys: readonly ObjectKey[]): void
  /** The first list is complete (an absent resource counts as an empty one). Comes once. */
  synced?(): void
  /** The watch is there: it has brought an event or a bookmark, after what it began with. Comes with each of them. */
  heard?(): void
  /** The stream ended and is begun again, by resuming or by a new list (`relist`). */
  restarted?(about: {
    readonly reason: RestartReason
    readonly relist: boolean
    readonly error?: unknown
  }): void
  /** The first answer after a failure. */
  recovered?(): void
}
