import { deepestJson, isDeeper } from '../../../decode/json-bounds.ts'
import { isRecord } from '../../../decode/record-of.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { ReviewRequest } from '../review.ts'

/** The supported versions of an AdmissionReview. The answer has the same version. */
export const reviewVersions = ['v1', 'v1beta1'] as const
const apiVersions: readonly unknown[] = reviewVersions.map(version => `admission.k8s.io/${version}`)

/** Identifies a review for its answer and for logs. */
export interface ReviewHead {
  readonly apiVersion: string
  readonly uid: string
  /** In Go's format: `apps/v1, Kind=Deployment`. */
  readonly kind: string
}

export type ReadReview =
  | {
      readonly is: 'review'
      readonly head: ReviewHead
      readonly request: ReviewRequest
      readonly kind: ReviewedKind
    }
  /** A review with unusable content; it is refused. */
  | { readonly is: 'unusable'; readonly head: ReviewHead; readonly problem: string }
  /** Not a review, so it has no uid to answer. */
  | { readonly is: 'no review'; readonly problem: string }

export interface ReviewedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Reads the body of a review. Problems name fields and types, never values: the object may be a Secret. */
export const readReview = (body: Uint8Array): ReadReview => {
  const review = parse(body)
  if (!isRecord(review)) return { is: 'no review', problem: 'the body is not a JSON object' }
  const { apiVersion, kind, request } = review
  if (kind !== 'AdmissionReview' || !apiVersions.includes(apiVersion))
    return { is: 'no review', problem: `the body is not an AdmissionReview of ${apiVersions.join(' or ')}` }
  if (!isRecord(request) || typeof request.uid !== 'string' || request.uid === '')
    return { is: 'no review', problem: 'the AdmissionReview has no request with a uid' }
  const of = groupVersionOf(request.kind, 'kind')
  const head = { apiVersion: String(apiVersion), uid: request.uid, kind: of ? formatKind(of) : 'no kind' }
  const unusable = (problem: string): ReadReview => ({ is: 'unusable', head, problem })
  const resource = groupVersionOf(request.resource, 'resource')
  if (of === undefined) return unusable('request.kind: expected group, version and kind')
  if (resource === undefined) return unusable('request.resource: expected group, version and resource')
  const { operation, object, oldObject, subResource, namespace, name } = request
  if (operation !== 'CREATE' && operation !== 'UPDATE')
    return unusable('request.operation: expected CREATE or UPDATE')
  if (!isObject(object)) return unusable('request.object: expected an object with metadata')
  if (!isOf(object, of)) return unusable('request.object: expected the version and kind of request.kind')
  const hasOld = oldObject !== undefined && oldObject !== null
  if (hasOld ? !isObject(oldObject) : operation === 'UPDATE')
    return unusable('request.oldObject: expected an object with metadata')
  const isNamed = (value: unknown, form: RegExp): boolean =>
    value === undefined || value === null || value === '' || (typeof value === 'string' && form.test(value))
  if (!isNamed(namespace, namespaceForm))
    return unusable('request.namespace: expected the name of a namespace')
  if (!isNamed(name, nameForm)) return unusable('request.name: expected the name of an object')
  if (!isNamed(object.metadata.namespace, namespaceForm) || !isNamed(object.metadata.name, nameForm))
    return unusable('request.object: expected the names of an object and its namespace')
  if (isDeeper(request, deepestJson))
    return unusable(`request.object: expected at most ${deepestJson} levels`)
  return {
    is: 'review',
    head,
    kind: of,
    request: {
      uid: request.uid,
      operation,
      resource: { group: resource.group, version: resource.version, plural: resource.kind },
      ...(typeof subResource === 'string' && subResource !== '' && { subresource: subResource }),
      ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
      name: typeof name === 'string' ? name : '',
      object,
      ...(isObject(oldObject) && { oldObject }),
      dryRun: request.dryRun === true,
    },
  }
}

/** A DNS label (RFC 1123). Names become parts of API paths and must not lead to an object of another namespace. */
const namespaceForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A path segment that API servers accept: not `.` or `..`, and without `/` and `%`. */
const nameForm = /^(?!\.{1,2}$)[^/%]+$/

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())
  } catch {
    // The message of the parser quotes the text.
    return undefined
  }
}

const groupVersionOf = (value: unknown, name: 'kind' | 'resource'): ReviewedKind | undefined => {
  if (!isRecord(value)) return undefined
  const { group = '', version, [name]: kind } = value
  return typeof group === 'string' && typeof version === 'string' && typeof kind === 'string'
    ? { group, version, kind }
    : undefined
}

const formatKind = ({ group, version, kind }: ReviewedKind): string => `${group}/${version}, Kind=${kind}`

/** Functions rely on the apiVersion and kind of the object. */
const isOf = ({ apiVersion, kind }: KubernetesObject, of: ReviewedKind): boolean =>
  kind === of.kind && apiVersion === (of.group === '' ? of.version : `${of.group}/${of.version}`)

const isObject = (value: unknown): value is KubernetesObject => isRecord(value) && isRecord(value.metadata)

/**
 * Minimum number of bytes that each object or list counts. One takes up to 200 bytes of memory, but as few as two as
 * text: 7 MiB of `{},` take 149 MB. Text takes about seven times its length.
 */
const bytesPerHolder = 28

const quote = 0x22
const backslash = 0x5c

/** Returns the weight of a JSON body in bytes: its length, or more if it has many objects or lists for its length. */
export const weighReview = (body: Uint8Array): number => {
  let holders = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) at = endOfText(body, at)
    // `{` and `[` differ in one bit.
    else if (byte !== undefined && (byte | 0x20) === 0x7b) holders++
  }
  return Math.max(body.length, holders * bytesPerHolder)
}

/** Returns the end of the string that starts at a quotation mark. */
const endOfText = (body: Uint8Array, from: number): number => {
  let end = body.indexOf(quote, from + 1)
  while (end !== -1 && isEscaped(body, end)) end = body.indexOf(quote, end + 1)
  return end === -1 ? body.length : end
}

const isEscaped = (body: Uint8Array, at: number): boolean => {
  let first = at
  while (body[first - 1] === backslash) first--
  return (at - first) % 2 === 1
}
