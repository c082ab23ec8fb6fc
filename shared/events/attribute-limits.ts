import type { ExtensionEvent } from './event.ts'

/**
 * Maximum characters of each attribute of this system's events. Functions store some in objects, such as the event's
 * id, and all annotations of an object share 256 KiB. Names may be as long as in Kubernetes.
 */
export const attributeLimits = {
  id: 256,
  source: 512,
  type: 128,
  subject: 320,
  time: 64,
  kind: 63,
  apiversion: 128,
  name: 253,
  namespace: 63,
  provider: 253,
  extclass: 63,
  objectuid: 128,
  generation: 16,
  resourceversion: 128,
  attempt: 16,
  reason: 64,
  partitionkey: 128,
  traceparent: 256,
} as const satisfies Record<Exclude<keyof ExtensionEvent, 'operation' | 'data' | 'sending'>, number>

/** Limits for the attributes of any CloudEvent: number, and characters of names and values. */
export const cloudEventLimits = { attributes: 64, name: 64, value: 4096 } as const
