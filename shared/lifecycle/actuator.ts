import type { Clock, Timestamp } from '../clock/clock.ts'
import type { ConditionUpdates } from '../contract/conditions.ts'
import type { OperationType } from '../contract/constants.ts'
import type { Cluster } from '../contract/objects.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'

/** The decoded data of a Secret. `data` has secret values: never log it or put it into an error. */
export interface Secret {
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, string>>
}

/**
 * Kubernetes for the other objects of a kind, such as a Secret. Each call ends with the step, and `throwIfExpired` runs
 * before each write. Allows only the definition's `permissions` and those of the lifecycle, and refuses other calls
 * before a request is sent.
 */
export type StepKubernetes = Pick<Kubernetes, 'get' | 'list' | 'create' | 'patch' | 'apply' | 'delete'>

/** A wait over several steps. */
export interface Waited {
  /** The value of `waitsFor`. */
  readonly for: string
  /** The end of the first step that waited for it. An error or a crash in between restarts the wait. */
  readonly since: Timestamp
}

/** The context of an actuator for one step. */
export interface StepContext<O extends KubernetesObject = KubernetesObject> {
  /** The claimed live object, parsed with its schema. */
  readonly object: O
  /** The operation in `lastOperation.type`. */
  readonly operation: OperationType
  /**
   * The previous step ended with *continue* and no request has arrived since, so its checks are still valid. Default:
   * false.
   */
  readonly resumed?: boolean
  /** The wait that the previous step named, if it ended with *continue*. */
  readonly waited?: Waited | undefined
  /** The Cluster of the shoot namespace. Undefined for objects outside of one and for kinds without a Cluster. */
  readonly cluster: Cluster | undefined
  /**
   * The Secret of `spec.secretRef`, read live. Undefined for kinds without one, and in a forced delete, which calls
   * `findSecret`.
   */
  readonly secret: Secret | undefined
  /** Aborts at the step's deadline or when the process must end. Pass it to every call. */
  readonly signal: AbortSignal
  /**
   * Throws `StepExpiredError` if the claim has expired or is lost. Call it right before every write to the cloud, and
   * only then: an attempt that never called it counts as one that created nothing.
   */
  readonly throwIfExpired: () => void
  readonly kubernetes: StepKubernetes
  readonly clock: Clock
  readonly log: Log
  /**
   * Merge-patches `status` at once, before the step ends: `state`, `providerStatus`, kind-specific fields. Use it for
   * data that must survive a crash. Fails with the Kubernetes error if the write fails.
   */
  readonly saveStatus: (status: Readonly<Record<string, unknown>>) => Promise<void>
}

/** The context of an actuator for a forced delete. `object` may violate its schema. */
export interface ForcedStepContext<O extends KubernetesObject = KubernetesObject> extends StepContext<O> {
  readonly secret: undefined
  /** Reads the Secret of `spec.secretRef`. Returns undefined if it is missing, malformed or not named. */
  readonly findSecret: () => Promise<Secret | undefined>
}

/** The things that a forced deletion leaves behind. */
export interface Orphans {
  /** The reason, as part of a sentence: `the Secret cloudprovider is missing`. */
  readonly why: string
  /** One short text each, without secrets: `VPC vpc-0123`. Empty: nothing remains. */
  readonly things: readonly string[]
}

/**
 * The result of a successful step. A failed one throws: `CodedError`, `RequeueAfterError`, or any other value
 * (classified by its message, retried with backoff).
 */
export type StepResult =
  | {
      readonly kind: 'done'
      /** Fields of `status` that are written in the same patch as `Succeeded`. */
      readonly status?: Readonly<Record<string, unknown>>
      /** Updates of `status.conditions`. Other types are retained, also concurrent writes. */
      readonly conditions?: ConditionUpdates
      /**
       * Runs the operation again this many milliseconds after `Succeeded`, without a request (ControlPlane). A value
       * below 100 becomes 500.
       */
      readonly againAfterMs?: number
      /** Only of a forced delete. An Event, the last status and the log name them. */
      readonly orphans?: Partial<Orphans> & Pick<Orphans, 'why'>
    }
  | {
      readonly kind: 'continue'
      /**
       * Runs the next step after this many milliseconds. If a step changed nothing and requests less than 100, the
       * lifecycle waits for 500 ms at first and for up to 10 s later, and fails the operation after 10 minutes of such
       * steps. A step changed something if the status differs outside `lastOperation`, or if the step called
       * `throwIfExpired` and returns another progress or description.
       */
      readonly afterMs: number
      /** 1 to 99. */
      readonly progress: number
      /** The reason of the wait, for `lastOperation.description`. */
      readonly description: string
      readonly status?: Readonly<Record<string, unknown>>
      /** A short, constant name of the wait. The next step gets its start time. For waits with a time limit. */
      readonly waitsFor?: string
    }

/**
 * Ends a step whose work is complete. `status`: fields of the status that are written together with `Succeeded`.
 *
 * @example
 * return done({ zone: 'example.com' })
 */
export const done = (status?: Readonly<Record<string, unknown>>): StepResult =>
  status === undefined ? { kind: 'done' } : { kind: 'done', status }

/**
 * Ends a forced delete that leaves things behind: those of the actuator's `orphans`, or the given ones. An Event, the
 * last status and the log name them.
 *
 * @example
 * return orphaning('its Secret is missing', ['DNS record api.example.com'])
 */
export const orphaning = (why: string, things?: readonly string[]): StepResult => ({
  kind: 'done',
  orphans: { why, ...(things && { things }) },
})

/**
 * Ends a step whose work continues later: after this many milliseconds, with the progress (1 to 99) and the wait for
 * users.
 *
 * @example
 * return continueAfter(10_000, 40, 'Waiting for the network to become available')
 */
export const continueAfter = (afterMs: number, progress: number, description: string): StepResult => ({
  kind: 'continue',
  afterMs,
  progress,
  description,
})

/** Ends the step with a wait, from inside a function that returns another value. Do not catch it. */
export class StepContinuesError extends Error {
  override readonly name = 'StepContinuesError'
  readonly result: StepResult

  constructor(result: Extract<StepResult, { readonly kind: 'continue' }>) {
    super(result.description)
    this.result = result
  }
}

/**
 * The provider's part of a backend: short, idempotent steps against the cloud. The lifecycle chooses the step and
 * writes the status before and after it.
 */
export interface Actuator<O extends KubernetesObject = KubernetesObject> {
  /**
   * Checks an object without calling the cloud: values that its schema cannot check, and required keys of its Secret.
   * Runs before reconcile and restore, and before the finalizer is added. Throws a `CodedError`; then only the object's
   * status is written. Any other thrown value is recorded in the same way, without a code.
   */
  readonly check?: (input: {
    readonly object: O
    readonly secret: Secret | undefined
  }) => void | Promise<void>
  /**
   * Infrastructure and Bastion: checks `spec.providerConfig` after Processing; throws a `CodedError`. The operation
   * gets the same context afterwards.
   */
  readonly validate?: (step: StepContext<O>) => Promise<void>
  readonly reconcile: (step: StepContext<O>) => Promise<StepResult>
  readonly remove: (step: StepContext<O>) => Promise<StepResult>
  /**
   * A forced delete leaves unreachable resources behind. It reads and checks nothing before, neither the Secret nor the
   * object's fields. Failures and waits are retried for 90 s (`longestForcedMs`). Then the object is released without
   * it, and `orphans` names what may remain. Absent: nothing is deleted.
   */
  readonly forceRemove?: (step: ForcedStepContext<O>) => Promise<StepResult>
  /**
   * Names everything that may exist outside because of an object: one short text each, without secrets. Called when a
   * forced delete ends without deleting it. `object` may violate its schema; if the call throws, the default applies.
   * Return `[]` if nothing can remain. Default: one text that names the object.
   */
  readonly orphans?: (step: Pick<StepContext<O>, 'object' | 'cluster'>) => readonly string[]
  /** Absent: nothing to do (the cloud's resources remain). */
  readonly migrate?: (step: StepContext<O>) => Promise<StepResult>
  /** Default: `reconcile`. */
  readonly restore?: (step: StepContext<O>) => Promise<StepResult>
}
