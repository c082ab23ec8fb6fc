/** A JSON object as the API server sends it. Parse it with a schema of `shared/contract` before relying on more. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

/** The part of `metav1.ObjectMeta` that Trellis reads. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly [field: string]: unknown
}

/** Which resource: the part of a REST path between `/apis` and the object's name. Core group: `group: ''`. */
export interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
}

/** Which object of a resource. `namespace` is set exactly when the resource is namespaced. */
export interface ObjectKey {
  readonly name: string
  readonly namespace?: string
}

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends RequestOptions {
  /** Only this namespace; absent: all of them. */
  readonly namespace?: string
  /** Most objects in one page; the server may send fewer. */
  readonly limit?: number
  /** The token of the page before. */
  readonly continue?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  /**
   * Gets the objects of the page as they are read, so that a large page is not held as a whole; those are not among
   * its `items`. An implementation that has the page at hand anyway may ignore it. Once it has been called a failure is
   * not repeated inside. It must not throw.
   */
  readonly each?: (object: KubernetesObject) => void
}

export interface ListPage {
  readonly items: readonly KubernetesObject[]
  /** The version to watch from, once the last page is read. */
  readonly resourceVersion: string
  /** Set when there is another page. */
  readonly continue?: string
  readonly remainingItemCount?: number
  /** Length of the answer, where it was read piece by piece. */
  readonly bytes?: number
}

export interface WatchOptions extends RequestOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Events after this version. */
  readonly resourceVersion?: string
  /** The server closes the watch after about so many seconds. */
  readonly timeoutSeconds?: number
  readonly allowWatchBookmarks?: boolean
  /** Asks for the present objects first (`sendInitialEvents`), ended by an annotated bookmark. */
  readonly sendInitialEvents?: boolean
}

/**
 * One line of a watch. `bookmark` carries only a version to resume from. An ERROR line of the server ends the
 * iteration by throwing the `KubernetesError` of its status (410 `Expired`: list again).
 */
export type WatchEvent =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: KubernetesObject }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }

/** The parts of an object that have a path of their own. */
export const subresources = ['status', 'scale'] as const
export type Subresource = (typeof subresources)[number]

export interface PatchOptions extends RequestOptions {
  /** Which part of the object; absent: the main resource. */
  readonly subresource?: Subresource
}

export interface ApplyOptions extends RequestOptions {
  /** Whose the fields of the object are from then on; at most 128 characters. */
  readonly fieldManager: string
  /** Takes fields over that others own with another value. Absent: no, that is 409. */
  readonly force?: boolean
}

export interface ReplaceOptions extends RequestOptions {
  /** Which part of the object; absent: the main resource. */
  readonly subresource?: Exclude<Subresource, 'scale'>
}

export interface DeleteOptions extends RequestOptions {
  readonly uid?: string
  readonly resourceVersion?: string
}

/**
 * What Trellis needs of an API server. Every implementation passes `contract-suite.ts`.
 *
 * Errors are `KubernetesError` (the server answered with a failure) or `ConnectionError` (no answer, or an
 * incomplete one). Reads are retried inside on 429 (after Retry-After), 5xx, resets and timeouts; writes only
 * where the server surely did not act (429, connection refused). 409 is never retried: the caller decides again.
 */
export interface Kubernetes {
  /** The object, or undefined when there is none of that name. */
  get(
    resource: GroupVersionResource,
    key: ObjectKey,
    options?: RequestOptions,
  ): Promise<KubernetesObject | undefined>
  /** One page of a list. */
  list(resource: GroupVersionResource, options?: ListOptions): Promise<ListPage>
  /** Ends without error when the server closes the stream; throws on a broken one. */
  watch(resource: GroupVersionResource, options?: WatchOptions): AsyncIterable<WatchEvent>
  create(
    resource: GroupVersionResource,
    object: KubernetesObject,
    options?: RequestOptions,
  ): Promise<KubernetesObject>
  /** PUT: fails with 409 when `metadata.resourceVersion` is set and no longer the present one. */
  replace(
    resource: GroupVersionResource,
    object: KubernetesObject,
    options?: ReplaceOptions,
  ): Promise<KubernetesObject>
  /**
   * JSON merge patch (RFC 7386). With `metadata.resourceVersion` in the patch it is an optimistic lock, with
   * `metadata.uid` a precondition: both fail with 409 when they do not hold. Returns the object after the patch.
   * Of a patch of the status only `status` and `metadata.resourceVersion` count: API servers ignore the rest of
   * the metadata there, the uid too. A patch of `scale` is one of an `autoscaling/v1` Scale with the object's metadata,
   * `spec.replicas` and `status.replicas`, and returns that; the uid counts for Deployments, and not for custom resources.
   */
  patch(
    resource: GroupVersionResource,
    key: ObjectKey,
    patch: object,
    options?: PatchOptions,
  ): Promise<KubernetesObject>
  /**
   * Server-side apply: makes the object, or lays it over the one that is there. What the manager applied before and does not
   * any more goes, unless somebody else owns it too; what others have put into the object stays. With `metadata.uid` only the
   * object that has it is changed and none is made: 409 otherwise. Nothing is written when nothing differs.
   */
  apply(
    resource: GroupVersionResource,
    object: KubernetesObject,
    options: ApplyOptions,
  ): Promise<KubernetesObject>
  /** Resolves also when the object is gone already. */
  delete(resource: GroupVersionResource, key: ObjectKey, options?: DeleteOptions): Promise<void>
}

/** The API server's own `Status` answer. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError'
  /** HTTP status: 404, 409, 410, 422, 429, 500, … */
  readonly status: number
  /** `metav1.StatusReason`: NotFound, Conflict, AlreadyExists, Expired, Invalid, TooManyRequests, … */
  readonly reason: string
  /** Seconds that the server asks to wait (Retry-After header or `details.retryAfterSeconds`). */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, reason: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer, or an incomplete one: refused, reset, timed out, TLS failure. `sent`: the server may have acted. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly sent: boolean

  constructor(message: string, options: { readonly cause: unknown; readonly sent: boolean }) {
    super(message, { cause: options.cause })
    this.sent = options.sent
  }
}
