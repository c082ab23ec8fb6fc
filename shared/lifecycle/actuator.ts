import type { Clock, Timestamp } from '../clock/clock.ts'
import type { ConditionUpdates } from '../contract/conditions.ts'
import type { OperationType } from '../contract/constants.ts'
import type { Cluster } from '../contract/objects.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'

/** The data of a Secret, decoded. `data` holds secret values: never log it, never put it into an error. */
export interface Secret {
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, string>>
}

/**
 * Kubernetes for what a kind keeps beside its own object, such as a Secret. Each call ends with the step, and
 * `throwIfExpired` runs before each that writes. It does what the definition's `permissions` name and what the lifecycle
 * itself may do, and refuses everything else before a request is sent.
 */
export type StepKubernetes = Pick<Kubernetes, 'get' | 'list' | 'create' | 'patch' | 'apply' | 'delete'>

/** A wait that goes over several steps. */
export interface Waited {
  /** As `waitsFor` named it. */
  readonly for: string
  /** When the first of the steps ended that have waited for it in a row, without an error or a death in between. */
  readonly since: Timestamp
}

/** What an actuator gets for one step. */
export interface StepContext<O extends KubernetesObject = KubernetesObject> {
  /** The live object as it was claimed, parsed by its schema. */
  readonly object: O
  /** The operation that is recorded in `lastOperation.type`. */
  readonly operation: OperationType
  /**
   * The step before ended by *continue*, and nothing has been asked for since: what was checked then still holds.
   * Absent: no.
   */
  readonly resumed?: boolean
  /** What the step before waited for, if it has ended by *continue* and named it. */
  readonly waited?: Waited | undefined
  /** The Cluster of the shoot namespace; undefined for objects outside of one and for kinds that get none. */
  readonly cluster: Cluster | undefined
  /** The Secret of `spec.secretRef`, read live; undefined for kinds without one, and in a forced delete, which finds it. */
  readonly secret: Secret | undefined
  /** Aborts when the step's time is over or the process shuts down hard. Pass it to every call. */
  readonly signal: AbortSignal
  /**
   * Throws `StepExpiredError` once the claim has run out or is lost. Call it right before every write to the cloud, and
   * only then: an attempt that never called it counts as one that has made nothing.
   */
  readonly throwIfExpired: () => void
  readonly kubernetes: StepKubernetes
  readonly clock: Clock
  readonly log: Log
  /**
   * Merge-patches `status` now, before the step ends: `state`, `providerStatus`, kind-specific fields. For what must
   * survive a crash. Fails with the Kubernetes error when it cannot be written.
   */
  readonly saveStatus: (status: Readonly<Record<string, unknown>>) => Promise<void>
}

/** What an actuator gets for a forced delete. `object` may break its schema. */
export interface ForcedStepContext<O extends KubernetesObject = KubernetesObject> extends StepContext<O> {
  readonly secret: undefined
  /** Reads the Secret of `spec.secretRef` now; undefined when it is missing or malformed, or none is named. */
  readonly findSecret: () => Promise<Secret | undefined>
}

/**
 * How a step ended well. A failed one throws: `CodedError`, `RequeueAfterError`, or anything else (classified by its
 * message, retried with backoff).
 */
export type StepResult =
  | {
      readonly kind: 'done'
      /** Fields of `status` that go into the same patch as `Succeeded`. */
      readonly status?: Readonly<Record<string, unknown>>
      /** Of `status.conditions`; those of other types stay, also what others write at the same time. */
      readonly conditions?: ConditionUpdates
      /**
       * Runs the operation again this many ms after `Succeeded`, without a request (ControlPlane). A value below 100
       * becomes 500.
       */
      readonly againAfterMs?: number
    }
  | {
      readonly kind: 'continue'
      /**
       * Runs the next step after this many ms. If a step changed nothing and asks for less than 100, the lifecycle waits for
       * 500 ms at first and for up to 10 s later, and fails the operation after 10 minutes of such steps. A step changed
       * something if the status differs outside `lastOperation`, or if the step called `throwIfExpired` and returns another
       * progress or description.
       */
      readonly afterMs: number
      /** 1 to 99 */
      readonly progress: number
      /** What is being waited for, for `lastOperation.description`. */
      readonly description: string
      readonly status?: Readonly<Record<string, unknown>>
      /**
       * A short name of what is waited for, always the same for the same wait: the next step gets to know since when. For
       * a wait that has to end some time.
       */
      readonly waitsFor?: string
    }

export const done = (status?: Readonly<Record<string, unknown>>): StepResult =>
  status === undefined ? { kind: 'done' } : { kind: 'done', status }

export const continueAfter = (afterMs: number, progress: number, description: string): StepResult => ({
  kind: 'continue',
  afterMs,
  progress,
  description,
})

/**
 * The provider's part of a backend: short, idempotent steps against the cloud. Which of them runs, and what is
 * written before and after, is the lifecycle's business.
 */
export interface Actuator<O extends KubernetesObject = KubernetesObject> {
  /**
   * Says, without asking the cloud, why nothing can be made for an object: a value that its schema cannot tell, a key
   * that its Secret lacks. Runs before reconcile and restore, and before the finalizer is added: throws a `CodedError`,
   * and nothing but the object's status is written. Any other thrown value is recorded in the same way, without a code.
   */
  readonly check?: (input: {
    readonly object: O
    readonly secret: Secret | undefined
  }) => void | Promise<void>
  /**
   * Infrastructure and Bastion: checks `spec.providerConfig` after Processing; throws a `CodedError`. What runs next
   * gets the very same context.
   */
  readonly validate?: (step: StepContext<O>) => Promise<void>
  readonly reconcile: (step: StepContext<O>) => Promise<StepResult>
  readonly remove: (step: StepContext<O>) => Promise<StepResult>
  /**
   * A forced delete leaves behind what is out of reach: nothing is read before it, neither the Secret nor the object's
   * own fields are checked. One that fails is tried again like every step, but only `mostForcedTries` times: then the
   * deletion ends without it, so that it always comes to its end. Absent: nothing to do.
   */
  readonly forceRemove?: (step: ForcedStepContext<O>) => Promise<StepResult>
  /** Absent: nothing to do (the cloud's resources stay). */
  readonly migrate?: (step: StepContext<O>) => Promise<StepResult>
  /** Absent: what `reconcile` does. */
  readonly restore?: (step: StepContext<O>) => Promise<StepResult>
}
