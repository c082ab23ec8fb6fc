import type { Clock } from '../clock/clock.ts'
import type { Classifier } from '../contract/classify.ts'
import type { KindName } from '../contract/kinds.ts'
import type { ExtensionEvent } from '../events/events.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import type { Actuator } from './actuator.ts'

/** An extension author's registration: the owner of one kind and of one or several types. */
export interface Backend<O extends KubernetesObject = KubernetesObject> {
  readonly kind: KindName
  /** Values of `spec.type`: `aws`, or `gardenlinux` and `gardenlinux-fips`. */
  readonly types: readonly string[]
  /** The handled classes (docs/contract/lifecycle.md#class-and-type). Default: only `shoot`. */
  readonly classes?: readonly ('shoot' | 'seed' | 'garden')[]
  /** Only for kind Extension: the suffix of its finalizer. Default: the `spec.type` of each object. */
  readonly finalizerSuffix?: string
  /** Only for kind Extension: reconciles again this many milliseconds after each reconcile. Absent or 0: never. */
  readonly resyncMs?: number
  /**
   * The actuator does not use the Secret of `spec.secretRef`, which is then not read and may be missing. Not for kinds
   * that add a finalizer to it. Default: it is read.
   */
  readonly ignoresSecret?: true
  readonly actuator: Actuator<O>
  /** Map an error text to Gardener's codes if the error has no codes. */
  readonly classifiers?: readonly Classifier[]
}

/** The time limits of a step. */
export interface StepLimits {
  /** The step's signal aborts after this many milliseconds. */
  readonly stepMs: number
  /** The claim ends this many milliseconds after the step's deadline: time to write the outcome. */
  readonly marginMs: number
}

/**
 * One event, one step: the target is 20 s, the limit 60 s (docs/architecture.md#one-event-one-step), then 15 s to write
 * the outcome.
 */
export const defaultStepLimits: StepLimits = { stepMs: 60_000, marginMs: 15_000 }

/** Default duration of a claim in milliseconds. */
export const claimMs = defaultStepLimits.stepMs + defaultStepLimits.marginMs

/** The largest configurable limits in milliseconds: Knative ends requests after 600 s. */
export const longestStepLimits: StepLimits = { stepMs: 600_000, marginMs: 60_000 }

/** The longest duration of any claim in milliseconds. */
export const longestClaimMs = longestStepLimits.stepMs + longestStepLimits.marginMs

/** The dependencies of a step on its process. */
export interface StepDeps {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  readonly backend: Backend
  readonly limits?: StepLimits
  /** Called with the codes and the text of an attempt's error. The text may contain values of foreign Secrets. */
  readonly onFailure?: ((why: string) => void) | undefined
}

/** The part of an event that a step reads. Everything else is read from the live object. */
export type StepEvent = Pick<ExtensionEvent, 'id' | 'name' | 'namespace' | 'reason'>

/**
 * The outcome of an event.
 * - `recorded`: the event is complete. The object has the outcome, good or bad, or no work was due.
 * `released`: a forced deletion ended although not everything is deleted.
 * `superseded`: the object was replaced or claimed by another step, and nothing more was written.
 * `checked`: the conditions have the results.
 * `paused`: a person has paused the object or its shoot, and nothing was written.
 * - `busy`: another step has claimed the object.
 * - `unrecorded`: nothing could be written; the event must be sent again. `advice`: an action that is needed first.
 */
export type StepOutcome =
  | { readonly kind: 'recorded'; readonly how: Recorded }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unrecorded'; readonly reason: string; readonly advice?: string }

export type Recorded =
  | 'succeeded'
  | 'continues'
  | 'failed'
  | 'waits'
  | 'handed-back'
  | 'released'
  | 'gone'
  | 'not-ours'
  | 'nothing-to-do'
  | 'checked'
  | 'not-due'
  | 'shoot-failed'
  | 'paused'
  | 'migrated'
  | 'nothing-to-delete'
  | 'superseded'
