import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** The supported versions of an AdmissionReview. The answer has the same version. */
export const reviewVersions = ['v1', 'v1beta1'] as const

export const reviewOperations = ['CREATE', 'UPDATE'] as const
export type ReviewOperation = (typeof reviewOperations)[number]

/** The part of an AdmissionReview (v1) that Trellis reads. The API server sends it before it stores an object. */
export interface ReviewRequest {
  /** The answer repeats it. */
  readonly uid: string
  readonly operation: ReviewOperation
  readonly resource: Omit<GroupVersionResource, 'namespaced'>
  readonly subresource?: string
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string
  /** Empty if the API server will generate the name (`generateName`). */
  readonly name: string
  /** The object as it was sent, with unknown fields. */
  readonly object: KubernetesObject
  /** Present for every UPDATE, absent for every CREATE. */
  readonly oldObject?: KubernetesObject
  readonly dryRun: boolean
}

/**
 * Reads of an admission function, limited to the resources of its `permissions`; it never writes. Target `garden` reads
 * the virtual garden's API server, `shoot` the shoot's, any other that of the process's cluster.
 */
export type Lookup = Pick<Kubernetes, 'get' | 'list'>

/** The reason of a refusal: a field and its problem, in the form of `docs/contract/admission.md#answers`. */
export interface Refusal {
  /** One text is the message itself; several become `[a, b, c]`, each once. Never a Secret's data or a whole object. */
  readonly problems: readonly [string, ...string[]]
  /** HTTP status of the refusal. Default: 403. */
  readonly code?: 400 | 403 | 422 | 500
}

/**
 * The outcome of an admission function. `changed` is the whole desired object: the JSON patch is computed from it, so
 * unknown fields are retained. An empty outcome allows the object unchanged.
 */
export interface ReviewOutcome {
  readonly changed?: KubernetesObject
  readonly refused?: Refusal
  /**
   * Shown to the sender of the object, by kubectl as `Warning: …`; at most 256 characters each. A function runs after
   * the decision and never changes it: if it throws, the error is logged and there are no warnings.
   */
  readonly warnings?: readonly string[] | (() => readonly string[])
}

/**
 * Refuses if there are problems; otherwise allows.
 *
 * @example
 * const outcome = refusedFor(objects.length > 0 ? [] : ['spec.region: Required value'])
 */
export const refusedFor = ([first, ...others]: readonly string[]): ReviewOutcome =>
  first === undefined ? {} : { refused: { problems: [first, ...others] } }

/**
 * Pure except for lookups: the same review and objects give the same outcome. Throws a `CodedError` to refuse. Must not
 * modify its input; the result may share unchanged parts with it.
 */
export type Reviewer<Settings = Readonly<Record<string, unknown>>> = (
  request: ReviewRequest,
  lookup: Lookup,
  settings: Settings,
) => ReviewOutcome | Promise<ReviewOutcome>
