import { annotations } from '../contract/constants.ts'
import { isDeeper } from '../contract/json-bounds.ts'
import type { KubernetesObject } from '../kubernetes/port.ts'

/**
 * What the bridge keeps of an object to tell who changed it: no more than a few numbers and the step, so that fifty
 * thousand objects fit.
 */
export interface Seen {
  readonly uid: string
  readonly resourceVersion: string
  readonly deleting: boolean
  readonly step: string
  readonly finalizers: number
  /** Hash of the status: equal for equal statuses. */
  readonly status: number
}

export const seenOf = (object: KubernetesObject): Seen => ({
  uid: object.metadata.uid ?? '',
  resourceVersion: object.metadata.resourceVersion ?? '',
  deleting: object.metadata.deletionTimestamp !== undefined,
  step: object.metadata.annotations?.[annotations.step] ?? '',
  finalizers: object.metadata.finalizers?.length ?? 0,
  status: isDeeper(object.status) ? tooDeep : hashOf(JSON.stringify(object.status) ?? ''),
})

/**
 * The UPDATE rule for a deleting object (contract, lifecycle §3.2): its status did not change, so somebody else
 * touched it and wants it tried again. Our own claim, release and finalizer writes do not count.
 */
export const touchedWhileDeleting = (before: Seen, object: KubernetesObject): boolean => {
  const now = seenOf(object)
  return (
    now.deleting &&
    before.uid === now.uid &&
    before.resourceVersion !== now.resourceVersion &&
    before.status === now.status &&
    before.step === now.step &&
    before.finalizers === now.finalizers
  )
}

/** Instead of the hash of a status that cannot be written out: one such counts as equal to another. */
const tooDeep = -1

/** FNV-1a, 32 bits: enough to see that a status changed, and nothing else depends on it. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
