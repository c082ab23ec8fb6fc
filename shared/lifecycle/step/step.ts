import type { Clock } from '../../clock/clock.ts'
import type { ExtensionEvent } from '../../events/event.ts'
import type { Kubernetes } from '../../kubernetes/port.ts'
import type { Log } from '../actuator.ts'
import type { Backend, StepLimits } from '../backend.ts'

/** What a step needs from its process. */
export interface StepDeps {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  readonly backend: Backend
  readonly limits?: StepLimits
}

/** The part of an event that a step reads; everything else is taken from the live object. */
export type StepEvent = Pick<ExtensionEvent, 'id' | 'name' | 'namespace' | 'reason'>

/**
 * What became of an event.
 * - `recorded`: the outcome, good or bad, stands in the object, or there was nothing to do. The event is done with.
 *   `superseded`: the object was replaced or claimed by another step meanwhile, and nothing more was written.
 * - `busy`: another step holds the object.
 * - `unrecorded`: nothing could be written down; the event has to come again.
 */
export type StepOutcome =
  | { readonly kind: 'recorded'; readonly how: Recorded }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unrecorded'; readonly reason: string }

export type Recorded =
  | 'succeeded'
  | 'continues'
  | 'failed'
  | 'waits'
  | 'gone'
  | 'not-ours'
  | 'nothing-to-do'
  | 'not-due'
  | 'shoot-failed'
  | 'migrated'
  | 'nothing-to-delete'
  | 'nothing-to-migrate'
  | 'superseded'

export const recorded = (how: Recorded): StepOutcome => ({ kind: 'recorded', how })
