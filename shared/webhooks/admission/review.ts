import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../kubernetes/kubernetes.ts'

export const reviewOperations = ['CREATE', 'UPDATE'] as const
export type ReviewOperation = (typeof reviewOperations)[number]

/** What an API server asks before it stores an object: the part of an AdmissionReview (v1) that Trellis reads. */
export interface ReviewRequest {
  /** Repeated in the answer. */
  readonly uid: string
  readonly operation: ReviewOperation
  readonly resource: Omit<GroupVersionResource, 'namespaced'>
  readonly subresource?: string
  /** Absent for objects that are in no namespace. */
  readonly namespace?: string
  /** Empty for an object whose name is still to be made up by the API server (`generateName`). */
  readonly name: string
  /** As it was sent: fields that are unknown here are in it, too. */
  readonly object: KubernetesObject
  /** There for every UPDATE, and for no CREATE. */
  readonly oldObject?: KubernetesObject
  readonly dryRun: boolean
}

/**
 * What an admission function may look up, of the resources that its `permissions` name: nothing is written by one. It is the
 * API server of the cluster where the process runs, for the target `garden` the virtual garden's, for `shoot` the shoot's.
 */
export type Lookup = Pick<Kubernetes, 'get' | 'list'>

/** Why an object is refused: a field and what is wrong with it, in the form of `docs/contract/admission.md#answers`. */
export interface Refusal {
  /** One text is the message as it is; several become `[a, b, c]`, doubles once. Never a Secret's data, never a whole object. */
  readonly problems: readonly [string, ...string[]]
  /** HTTP status of the refusal; absent: 403. */
  readonly code?: 400 | 403 | 422 | 500
}

/**
 * The outcome of an admission function. `changed` holds the whole object as it shall be: the JSON patch is computed
 * from it, so what is unknown stays. An outcome without anything in it: allowed as it is.
 */
export interface ReviewOutcome {
  readonly changed?: KubernetesObject
  readonly refused?: Refusal
  /** Shown to who sent the object, by kubectl as `Warning: …`; each at most 256 characters. */
  readonly warnings?: readonly string[]
}

/**
 * Pure but for what it looks up: the same review and the same objects give the same outcome. Throws a `CodedError` to refuse.
 * It never changes the objects that it is given: what it does not change it shares with them.
 */
export type Reviewer<Settings = Readonly<Record<string, unknown>>> = (
  request: ReviewRequest,
  lookup: Lookup,
  settings: Settings,
) => ReviewOutcome | Promise<ReviewOutcome>
