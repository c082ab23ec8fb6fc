import { eventData } from '../shared/events/build.ts'
import type { KubernetesObject } from '../shared/kubernetes/port.ts'

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
/** Most bytes of memory, about, of an object that is kept as it is: some three times its JSON. */
const mostWeight = 32 * 1024

export const createKeptObjects = (limits = { mostWhole, mostLength }): KeptObjects => {
  let whole = 0
  let length = 0
  return {
    keep: object => {
      if (whole < limits.mostWhole && isLight(object)) {
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

/** What V8 takes for a value beside the characters of a text, about. */
const valueWeight = 24

/** Whether the object takes little memory. Looks at no more of it than that takes. */
const isLight = (object: KubernetesObject): boolean => {
  let left = mostWeight
  const open: unknown[] = [object]
  while (open.length > 0 && left > 0) {
    const value = open.pop()
    left -= valueWeight
    if (typeof value === 'string') left -= value.length
    else if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value) ? value : Object.values(value)
      // A long list is heavy whatever is in it.
      left -= inner.length
      if (left > 0) for (const each of inner) open.push(each)
    }
  }
  return left > 0
}
