import type { ExtensionEvent } from './event.ts'

/**
 * The most characters that each attribute of an event of this system may have. What a function writes into an object, as
 * the event's id, takes part of what all its annotations share (256 KiB). Names are as long as Kubernetes lets them be.
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
} as const satisfies Record<Exclude<keyof ExtensionEvent, 'operation' | 'data'>, number>

/** The most of any CloudEvent's attributes, of whatever system: their number, and the characters of names and values. */
export const cloudEventLimits = { attributes: 64, name: 64, value: 4096 } as const
