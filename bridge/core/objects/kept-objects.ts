import { isLonger } from '../../../shared/decode/json-bounds.ts'
import { eventData } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** An object stored until it is sent: as it is, or the part for its event, serialized. */
export type KeptObject = KubernetesObject | string

/** Stores a bounded number of objects for the holder of `keep`'s result. */
export interface KeptObjects {
  /** Returns undefined if there are too many or the object is too large; the caller reads it again when it is due. */
  keep(object: KubernetesObject): KeptObject | undefined
  /** Releases the result of `keep`. */
  release(kept: KeptObject): void
}

/** The maximum number of objects stored as they are, and of characters of serialized ones. */
const mostWhole = 500
const mostLength = 16 * 1024 * 1024
/** The JSON length up to which an object is stored as it is; in memory it takes about five times as much. */
const largestWhole = 12 * 1024

export const createKeptObjects = (limits = { mostWhole, mostLength }): KeptObjects => {
  let whole = 0
  let length = 0
  return {
    keep: object => {
      if (whole < limits.mostWhole && !isLonger(object, largestWhole)) {
        whole++
        return object
      }
      if (length >= limits.mostLength) return undefined
      const data = eventData(object)
      if (data === undefined) return undefined
      const written = JSON.stringify(data)
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
