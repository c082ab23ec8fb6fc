import { annotations } from '../../contract/constants.ts'
import type { KubernetesObject } from '../../kubernetes/port.ts'

/** What a backend itself writes, or answers. */
const ownAnnotations: ReadonlySet<string> = new Set([annotations.step, annotations.operation])

/**
 * A hash of the metadata that only others write: labels, annotations but for the backend's own, owners. Equal for
 * equal metadata; finalizers, versions and managed fields do not count. With it the UPDATE rule for a deleting object
 * (docs/contract/lifecycle.md#when-work-is-due: its status did not change, so somebody touched it and wants it tried
 * again) follows from the object alone.
 */
export const metadataHashOf = ({ metadata }: KubernetesObject): string => {
  const sorted = (entries: Readonly<Record<string, string>> = {}) =>
    Object.entries(entries)
      .filter(([key]) => !ownAnnotations.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  return hashOf(
    JSON.stringify([sorted(metadata.labels), sorted(metadata.annotations), metadata.ownerReferences]),
  )
}

/** FNV-1a, 32 bits, as eight hexadecimal digits: two touches in four thousand million look like none. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
