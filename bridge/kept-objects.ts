import type { KubernetesObject } from '../shared/kubernetes/port.ts'

/** An object that is kept until it is sent: as it is, or written out, which takes a third of the memory. */
export type KeptObject = KubernetesObject | string

/** Keeps objects within bounds, for whoever holds what `keep` returns. */
export interface KeptObjects {
  /** undefined: there are too many, and it has to be read again when its turn comes. */
  keep(object: KubernetesObject): KeptObject | undefined
  /** What `keep` returned is no longer held. */
  release(kept: KeptObject): void
}

/** Bounds of objects kept as they are, about 10 KB each, and of characters kept written out. */
const mostWhole = 500
const mostLength = 16 * 1024 * 1024

export const createKeptObjects = (limits = { mostWhole, mostLength }): KeptObjects => {
  let whole = 0
  let length = 0
  return {
    keep: object => {
      if (whole < limits.mostWhole) {
        whole++
        return object
      }
      const written = JSON.stringify(withoutManagedFields(object))
      if (length + written.length > limits.mostLength) return undefined
      length += written.length
      return written
    },
    release: kept => {
      if (typeof kept === 'string') length -= kept.length
      else whole--
    },
  }
}

export const objectOf = (kept: KeptObject): KubernetesObject =>
  typeof kept === 'string' ? (JSON.parse(kept) as KubernetesObject) : kept

/** No event has them, and they are often half of an object. */
const withoutManagedFields = ({ metadata, ...rest }: KubernetesObject): object => {
  const { managedFields: _, ...kept } = metadata
  return { ...rest, metadata: kept }
}
