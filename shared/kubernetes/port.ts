/** A JSON object from the API server. Parse it with a schema of `shared/contract` before using more fields. */
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

/** Identifies a resource: the part of a REST path between `/apis` and the object's name. Core group: `group: ''`. */
export interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
}

/** Identifies an object of a resource. `namespace` is set only if the resource is namespaced. */
export interface ObjectKey {
  readonly name: string
  readonly namespace?: string
}

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends RequestOptions {
  /** Only this namespace. Default: all. */
  readonly namespace?: string
  /** Maximum objects per page. The server may send fewer. */
  readonly limit?: number
  /** The token of the previous page. */
  readonly continue?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  /**
   * Called with each object while the page is read, so that a large page is never in memory; these objects are not in
   * its `items`. An implementation with the whole page may ignore it. After the first call, failures are not retried.
   * Must not throw.
   */
  readonly each?: (object: KubernetesObject) => void
}

export interface ListPage {
  readonly items: readonly KubernetesObject[]
  /** The version to watch from after the last page. */
  readonly resourceVersion: string
  /** Set if another page exists. */
  readonly continue?: string
  readonly remainingItemCount?: number
  /** Length of the response if it was read in pieces. */
  readonly bytes?: number
}

export interface WatchOptions extends RequestOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Only events after this version. */
  readonly resourceVersion?: string
  /** The server closes the watch after about this many seconds. */
  readonly timeoutSeconds?: number
  readonly allowWatchBookmarks?: boolean
  /** Requests the existing objects first (`sendInitialEvents`), followed by an annotated bookmark. */
  readonly sendInitialEvents?: boolean
}

/**
 * One line of a watch. `bookmark` has only a version to resume from. An ERROR line of the server ends the iteration and
 * throws the `KubernetesError` of its status (410 `Expired`: list again).
 */
export type WatchEvent =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: KubernetesObject }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }

/** The parts of an object with a separate path. */
export const subresources = ['status', 'scale'] as const
export type Subresource = (typeof subresources)[number]

export interface PatchOptions extends RequestOptions {
  /** The part of the object. Default: the main resource. */
  readonly subresource?: Subresource
}

export interface ApplyOptions extends RequestOptions {
  /** The manager that owns the object's fields afterwards; at most 128 characters. */
  readonly fieldManager: string
  /** Takes over fields that others own with another value. Default: false, which fails with 409. */
  readonly force?: boolean
}

export interface ReplaceOptions extends RequestOptions {
  /** The part of the object. Default: the main resource. */
  readonly subresource?: Exclude<Subresource, 'scale'>
}

export interface DeleteOptions extends RequestOptions {
  readonly uid?: string
  readonly resourceVersion?: string
}

/**
 * The calls to an API server. Every implementation passes `contract-suite.ts`.
 *
 * Errors are `KubernetesError` (the server answered with a failure) or `ConnectionError` (no response, or an incomplete
 * one). Reads are retried internally on 429 (after Retry-After), 5xx, resets and timeouts; writes only if the server
 * certainly did not act (429, connection refused). 409 is never retried: the caller must decide again.
 */
export interface Kubernetes {
  /** Returns the object, or undefined if it does not exist. */
  get(
    resource: GroupVersionResource,
    key: ObjectKey,
    options?: RequestOptions,
  ): Promise<KubernetesObject | undefined>
  /** Returns one page of a list. */
  list(resource: GroupVersionResource, options?: ListOptions): Promise<ListPage>
  /** Ends without an error when the server closes the stream. Throws if the stream breaks. */
  watch(resource: GroupVersionResource, options?: WatchOptions): AsyncIterable<WatchEvent>
  create(
    resource: GroupVersionResource,
    object: KubernetesObject,
    options?: RequestOptions,
  ): Promise<KubernetesObject>
  /** PUT. Fails with 409 if `metadata.resourceVersion` is set and outdated. */
  replace(
    resource: GroupVersionResource,
    object: KubernetesObject,
    options?: ReplaceOptions,
  ): Promise<KubernetesObject>
  /**
   * JSON merge patch (RFC 7386). `metadata.resourceVersion` in the patch is an optimistic lock, `metadata.uid` a
   * precondition; both fail with 409 if they differ. Returns the object after the patch. A patch of the status uses
   * only `status` and `metadata.resourceVersion`: API servers ignore other metadata there, also the uid. A patch of
   * `scale` changes an `autoscaling/v1` Scale with the object's metadata, `spec.replicas` and `status.replicas`, and
   * returns that; it checks the uid for Deployments, but not for custom resources.
   */
  patch(
    resource: GroupVersionResource,
    key: ObjectKey,
    patch: object,
    options?: PatchOptions,
  ): Promise<KubernetesObject>
  /**
   * Server-side apply: creates the object or merges it into the existing one. Removes fields that the manager applied
   * before and no longer does, unless another manager owns them too; retains the fields of others. With `metadata.uid`,
   * changes only the object with this uid and creates none: 409 otherwise. Writes nothing without a difference.
   */
  apply(
    resource: GroupVersionResource,
    object: KubernetesObject,
    options: ApplyOptions,
  ): Promise<KubernetesObject>
  /** Also resolves if the object is already gone. */
  delete(resource: GroupVersionResource, key: ObjectKey, options?: DeleteOptions): Promise<void>
}

/** The `Status` response of the API server. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError'
  /** HTTP status: 404, 409, 410, 422, 429, 500, … */
  readonly status: number
  /** `metav1.StatusReason`: NotFound, Conflict, AlreadyExists, Expired, Invalid, TooManyRequests, … */
  readonly reason: string
  /** The server's requested wait in seconds (Retry-After header or `details.retryAfterSeconds`). */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, reason: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Returns true if the API server has refused a request with one of these HTTP statuses.
 *
 * @example
 * const found = await kubernetes.list(configMaps).catch(error => {
 *   if (hasStatus(error, 404)) return undefined
 *   throw error
 * })
 */
export const hasStatus = (error: unknown, ...statuses: readonly number[]): error is KubernetesError =>
  error instanceof KubernetesError && statuses.includes(error.status)

/** No response, or an incomplete one: refused, reset, timed out, TLS failure. `sent`: the server may have acted. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly sent: boolean

  constructor(message: string, options: { readonly cause: unknown; readonly sent: boolean }) {
    super(message, { cause: options.cause })
    this.sent = options.sent
  }
}
