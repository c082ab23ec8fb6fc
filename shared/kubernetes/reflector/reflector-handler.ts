import type { KubernetesObject, ObjectKey } from '../port.ts'

/**
 * The reason for a restarted watch. `closed` by the server is normal; `absent`: the server has never served the
 * resource; `unhandled`: the handler threw for objects, and all are read again so that it gets them again.
 */
export type RestartReason = 'closed' | 'idle' | 'expired' | 'failed' | 'absent' | 'unhandled'

/**
 * Handles the changes of a resource's objects. Calls are sequential and in order. If a call throws, the error is
 * logged, the object is passed again later, and the other calls continue.
 */
export interface ReflectorHandler {
  /**
   * The object exists, is new or has changed. `initial`: it was in the reflector's first list. An object that is
   * unchanged in a later list is not passed again.
   */
  upsert(object: KubernetesObject, about: { readonly initial: boolean }): void
  /** The object was deleted or no longer matches the selector. */
  deleted(key: ObjectKey): void
  /** A list is complete, and exactly these objects exist. Called after its `upsert` and `deleted` calls. */
  replaced?(keys: readonly ObjectKey[]): void
  /** The first list is complete (an absent resource counts as an empty one). Called once. */
  synced?(): void
  /** The watch works: it has sent an event or a bookmark after its initial objects. Called for each of them. */
  heard?(): void
  /** The stream ended and restarts: it resumes, or lists again (`relist`). */
  restarted?(about: {
    readonly reason: RestartReason
    readonly relist: boolean
    readonly error?: unknown
  }): void
  /** The first response after a failure. */
  recovered?(): void
}
