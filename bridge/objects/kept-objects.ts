import { isLonger } from '../../shared/contract/json-bounds.ts'
import { eventData } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** An object that is kept until it is sent: as it is, or what an event has of it, written out. */
export type KeptObject = KubernetesObject | string

/** Keeps objects within bounds, for whoever holds what `keep` returns. */
export interface KeptObjects {
  /** undefined: there are too many, or it is too large, and it has to be read again when its turn comes. */
  keep(object: KubernetesObject): KeptObject | undefined
  /** What `keep` returned is no longer held. */
  release(kept: KeptObject): void
}

/** Bounds of objects kept as they are, and of characters kept written out. */
const mostWhole = 500
const mostLength = 16 * 1024 * 1024
/** Characters that the JSON of an object has which is kept as it is; in memory it has some five times as much. */
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
