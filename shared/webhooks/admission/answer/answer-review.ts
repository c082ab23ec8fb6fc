import { CodedError } from '../../../contract/errors.ts'
import { deepestJson } from '../../../decode/json-bounds.ts'
import { isRecord, parsedJson } from '../../../decode/record-of.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import { printable } from '../../../text/printable.ts'
import {
  type Lookup,
  type Refusal,
  type ReviewOutcome,
  type ReviewRequest,
  reviewVersions,
} from '../review.ts'
import type { WebhookDefinition } from '../webhook-definition.ts'
import { failureOf, type ReviewFailure } from './failure.ts'
import { type JsonPatchOperation, jsonPatch } from './json-patch.ts'
import { hasSameContent, outlineReview, type ReviewOutline, withoutContent } from './outline-review.ts'

/**
 * The answer to the API server, and the facts that a process may log. The fields contain no part of the object but its
 * name.
 */
export interface ReviewAnswer {
  /** HTTP status. 200: a review, allowed or refused. 400: the body is not a review. */
  readonly status: 200 | 400
  /** JSON with status 200, else a line of text. */
  readonly body: string
  readonly outcome: 'allowed' | 'changed' | 'refused' | 'failed' | 'malformed'
  /** The reviewed object, if it could be read. */
  readonly about?: {
    readonly uid: string
    readonly kind: string
    readonly operation?: string
    readonly namespace?: string
    readonly name?: string
  }
  /**
   * The reason of a refusal, for the sender of the object. Do not log it: readers of logs may lack permission for the
   * object.
   */
  readonly message?: string
  /** Set for the outcome `failed`: a bug of the function or a failed lookup. */
  readonly failure?: ReviewFailure
  /** Set if the warnings could not be computed. The answer has none. */
  readonly warningFailure?: ReviewFailure
}

/**
 * Answers one review (docs/contract/webhooks.md#answers). `body` is an AdmissionReview of v1 or v1beta1; the answer has
 * the same version. Never throws: an error of the function becomes a refusal.
 */
export const answerReview = async (
  definition: WebhookDefinition,
  body: Uint8Array,
  lookup: Lookup,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ReviewAnswer> => {
  const outline = outlineReview(body)
  const isLarge = outline.elements > usualElements
  const read = readReview(isLarge ? withoutContent(body, outline) : body, outline)
  if (read.is === 'no review') return notReview(read.problem)
  const { head } = read
  if (read.is === 'unusable')
    return { ...refusal(head, { problems: [read.problem], code: 400 }), about: aboutOf(read) }
  const about = aboutOf(read)
  if (!isReviewed(definition, read.kind, read.request))
    return { ...refusal(head, { problems: [`unexpected request kind ${head.kind}`], code: 400 }), about }
  if (isBeingDeleted(read.request.object) && !definition.deleting) return { ...allowed(head, [], []), about }
  const most = mostElements(definition, read.kind)
  if (outline.elements > most) {
    // An object from before this limit can still be deleted, and Gardener can still change its metadata.
    return isBeingDeleted(read.request.object) || hasSameContent(body, outline)
      ? { ...allowed(head, [], []), about }
      : { ...refusal(head, { problems: [tooLarge(outline.elements, most)], code: 422 }), about }
  }
  const whole = isLarge ? readReview(body, outline) : read
  if (whole.is !== 'review') return notReview('the body is not a JSON object')
  const { request } = whole
  try {
    const outcome = await definition.review(request, lookup, settings)
    return { ...answerOf(definition, request.object, outcome, head), about }
  } catch (error) {
    if (error instanceof CodedError) return { ...refusal(head, { problems: [error.message] }), about }
    const failure = failureOf(error)
    const problem = `the webhook ${definition.name} failed: ${failure.message}`
    return { ...refusal(head, { problems: [problem], code: 500 }), outcome: 'failed', about, failure }
  }
}

const notReview = (problem: string): ReviewAnswer => ({
  status: 400,
  body: `${problem}\n`,
  outcome: 'malformed',
})

const answerOf = (
  { action, name }: WebhookDefinition,
  object: KubernetesObject,
  { changed, refused, warnings: given = [] }: ReviewOutcome,
  head: ReviewHead,
): ReviewAnswer => {
  const { warnings, failure } = warningsIn(given)
  const failed = failure && { warningFailure: failure }
  if (refused !== undefined) return { ...refusal(head, refused, warnings), ...failed }
  if (changed === undefined) return { ...allowed(head, [], warnings), ...failed }
  if (action === 'validate') throw new TypeError(`${name} validates but changed the object`)
  return { ...allowed(head, jsonPatch(object, changed), warnings), ...failed }
}

const warningsIn = (
  given: NonNullable<ReviewOutcome['warnings']>,
): { readonly warnings: readonly string[]; readonly failure?: ReviewFailure } => {
  if (typeof given !== 'function') return { warnings: given }
  try {
    return { warnings: given() }
  } catch (error) {
    return { warnings: [], failure: failureOf(error) }
  }
}

const allowed = (
  head: ReviewHead,
  patch: readonly JsonPatchOperation[],
  warnings: readonly string[],
): ReviewAnswer =>
  answer(head, patch.length > 0 ? 'changed' : 'allowed', {
    allowed: true,
    status: { code: 200 },
    ...(patch.length > 0 && {
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    }),
    ...shownWarnings(warnings),
  })

const reasons = { 400: 'BadRequest', 403: 'Forbidden', 422: 'Invalid', 500: 'InternalError' } as const

const refusal = (
  head: ReviewHead,
  { problems, code = 403 }: Refusal,
  warnings: readonly string[] = [],
): ReviewAnswer => {
  const message = messageOfAll(problems)
  const body = {
    allowed: false,
    status: { code, reason: reasons[code], message },
    ...shownWarnings(warnings),
  }
  return { ...answer(head, 'refused', body), message }
}

const answer = (
  { apiVersion, uid }: ReviewHead,
  outcome: ReviewAnswer['outcome'],
  response: object,
): ReviewAnswer => ({
  status: 200,
  body: JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid, ...response } }),
  outcome,
})

/**
 * Limit of a refusal in characters. Readers fix some problems and try again, and an object may have a hundred thousand.
 */
const messageLimit = 16_000

/** Returns one text unchanged and several as `[a, b]`, each once (docs/contract/admission.md#answers). */
const messageOfAll = (problems: readonly string[]): string => {
  const different = [...new Set(problems)]
  let left = messageLimit
  const end = different.findIndex(problem => {
    left -= problem.length + 2
    return left < 0
  })
  const shownOnes = end === -1 ? different : different.slice(0, Math.max(end, 1))
  const texts = shownOnes.map(text => (text.length > messageLimit ? `${text.slice(0, messageLimit)}…` : text))
  if (shownOnes.length < different.length) texts.push(`and ${different.length - shownOnes.length} more`)
  return texts.length === 1 ? String(texts[0]) : `[${texts.join(', ')}]`
}

/** API servers pass on this many characters of a warning. */
const warningLimit = 256

/** API servers drop a warning with a control character. */
const shownWarnings = (warnings: readonly string[]): object =>
  warnings.length === 0
    ? {}
    : { warnings: warnings.map(warning => printable(warning).slice(0, warningLimit)) }

/**
 * The most fields and list items of a review, with its old object. The process answers no other review meanwhile. A
 * Shoot of 100 pools has about 30,000.
 */
const usualElements = 50_000

/** API servers of seeds send what Gardener's components wrote. */
const mostElements = ({ resources, target }: WebhookDefinition, of: ReviewedKind): number =>
  target === 'seed'
    ? Number.POSITIVE_INFINITY
    : (resources.find(({ group, kind }) => group === of.group && kind === of.kind)?.mostElements ??
      usualElements)

const tooLarge = (elements: number, most: number): string =>
  `the object has too many fields and list items: the review has ${elements}, with the old object and managedFields, and may have ${most}. Remove some`

/** Returns true if the definition names the resource in one of its versions. */
const isReviewed = (
  { resources }: WebhookDefinition,
  { group, version, kind }: ReviewedKind,
  { resource: { plural }, subresource, operation }: ReviewRequest,
): boolean =>
  resources.some(
    reviewed =>
      reviewed.group === group &&
      reviewed.kind === kind &&
      (reviewed.versions.includes('*') || reviewed.versions.includes(version)) &&
      pathsOf(plural, subresource).includes(reviewed.plural) &&
      (reviewed.operations?.includes(operation) ?? true),
  )

const isBeingDeleted = ({ metadata }: KubernetesObject): boolean =>
  typeof metadata.deletionTimestamp === 'string'

const aboutOf = (read: Exclude<ReadReview, { is: 'no review' }>): NonNullable<ReviewAnswer['about']> => ({
  uid: read.head.uid,
  kind: read.head.kind,
  ...(read.is === 'review' && {
    operation: read.request.operation,
    ...(read.request.namespace !== undefined && { namespace: read.request.namespace }),
    name: read.request.name,
  }),
})

/** Returns the names of a resource in registrations: `nodes`, or `nodes/status` and `nodes/*`. */
const pathsOf = (plural: string, subresource: string | undefined): readonly string[] =>
  subresource === undefined ? [plural] : [`${plural}/${subresource}`, `${plural}/*`]

const apiVersions: readonly unknown[] = reviewVersions.map(version => `admission.k8s.io/${version}`)

/** Identifies a review for its answer and for logs. */
interface ReviewHead {
  readonly apiVersion: string
  readonly uid: string
  /** In Go's format: `apps/v1, Kind=Deployment`. */
  readonly kind: string
}

type ReadReview =
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

interface ReviewedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Reads the body of a review. Problems name fields and types, never values: the object may be a Secret. */
const readReview = (body: Uint8Array, { levels }: ReviewOutline): ReadReview => {
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
  // The review itself is a level above the request.
  if (levels > deepestJson + 1) return unusable(`request.object: expected at most ${deepestJson} levels`)
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

const parse = (body: Uint8Array): unknown =>
  parsedJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())

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
