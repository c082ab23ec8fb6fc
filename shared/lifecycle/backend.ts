import type { Clock } from '../clock/clock.ts'
import type { Classifier } from '../contract/classify.ts'
import type { KindName } from '../contract/kinds.ts'
import type { ExtensionEvent } from '../events/events.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import type { Actuator } from './actuator.ts'

/** What an extension author registers: the owner of one kind, and of one type or several. */
export interface Backend<O extends KubernetesObject = KubernetesObject> {
  readonly kind: KindName
  /** Values of `spec.type`: `aws`; or `gardenlinux` and `gardenlinux-fips`. */
  readonly types: readonly string[]
  /** The classes it handles (docs/contract/lifecycle.md#class-and-type). Absent: `shoot` only. */
  readonly classes?: readonly ('shoot' | 'seed' | 'garden')[]
  /** Kind Extension only: the suffix of its finalizer. Absent: the `spec.type` of each object. */
  readonly finalizerSuffix?: string
  /** Kind Extension only: reconcile again so long after each reconcile, in ms; absent or 0: never. */
  readonly resyncMs?: number
  /**
   * Its actuator needs nothing of the Secret of `spec.secretRef`, which is not read then and may be missing. Not for kinds
   * that keep a finalizer on it. Absent: it is read.
   */
  readonly ignoresSecret?: true
  readonly actuator: Actuator<O>
  /** Turn an error's text into Gardener's codes, where the error carries none itself. */
  readonly classifiers?: readonly Classifier[]
}

/** How long a step may take. */
export interface StepLimits {
  /** The step's signal aborts after so many ms. */
  readonly stepMs: number
  /** The claim outlives the step by so many ms: time to write the outcome down. */
  readonly marginMs: number
}

/**
 * One event, one step: aim at 20 s, stop hard at 60 s (docs/architecture.md#one-event-one-step), then 15 s to write
 * it down.
 */
export const defaultStepLimits: StepLimits = { stepMs: 60_000, marginMs: 15_000 }

/** How long a claim holds where nothing says otherwise, in ms. */
export const claimMs = defaultStepLimits.stepMs + defaultStepLimits.marginMs

/** What a function may be set to at most, in ms: Knative cuts requests at 600 s. */
export const longestStepLimits: StepLimits = { stepMs: 600_000, marginMs: 60_000 }

/** The longest that any claim holds, in ms. */
export const longestClaimMs = longestStepLimits.stepMs + longestStepLimits.marginMs

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
 *   `checked`: its conditions say what was found.
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
  | 'handed-back'
  | 'gone'
  | 'not-ours'
  | 'nothing-to-do'
  | 'checked'
  | 'not-due'
  | 'shoot-failed'
  | 'migrated'
  | 'nothing-to-delete'
  | 'superseded'
