import { applyPatch, type Operation } from 'rfc6902'
import { type KubernetesObject, permittedKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import {
  answerReview,
  type Lookup,
  type ReviewRequest,
  type WebhookDefinition,
} from '../../shared/webhooks/admission/admission.ts'
import { lookupIn, pluralsOf } from './lookup-in.ts'

/** An operation of a JSON patch (RFC 6902). */
export interface PatchStep {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

/** A request to store an object. `oldObject` is required for an UPDATE. */
export type SentReview = Pick<ReviewRequest, 'operation' | 'object' | 'oldObject'>

/** The answer of a webhook, and the resulting object. */
export interface ReviewResult {
  readonly allowed: boolean
  /** The HTTP status: 200 if the object is allowed, 403 or another code if it is refused. */
  readonly code: number
  /** The reason of a refusal. */
  readonly message?: string
  /** The object after the patch: that of the request if there is none. */
  readonly object: KubernetesObject
  /** Empty if the webhook changes nothing or refuses. */
  readonly patch: readonly PatchStep[]
  readonly warnings: readonly string[]
}

/** The surroundings of a review. */
export interface SendReviewOptions {
  /**
   * The objects that the webhook can look up, such as the Cluster of the namespace. A lookup that the definition has no
   * permission for is refused. Default: none.
   */
  readonly objects?: readonly KubernetesObject[]
  /** Replaces `objects`, for example with a lookup that fails. */
  readonly lookup?: Lookup
  /** Values of the definition's settings, by name. Default: those of its schema. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** `status`. Default: none. */
  readonly subresource?: string
  /** The version of the AdmissionReview. Default: `v1`. */
  readonly version?: 'v1' | 'v1beta1'
}

/** Returns the body of an AdmissionReview as kube-apiserver sends it for a resource of the definition. */
export const reviewBody = (
  { resources }: Pick<WebhookDefinition, 'resources'>,
  { operation, object, oldObject }: SentReview,
  { subresource, version = 'v1' }: Pick<SendReviewOptions, 'subresource' | 'version'> = {},
): string => {
  const [group = '', objectVersion = ''] = object.apiVersion.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion]
  const { kind, metadata } = object
  const reviewed = resources.find(resource => resource.kind === kind && resource.group === group)
  const [plural, part] = (reviewed?.plural ?? pluralsOf(kind)[0]).split('/')
  const subResource = subresource ?? (part === '*' ? 'status' : undefined)
  return JSON.stringify({
    apiVersion: `admission.k8s.io/${version}`,
    kind: 'AdmissionReview',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group, version: objectVersion, kind },
      resource: { group, version: objectVersion, resource: plural },
      ...(subResource !== undefined && { subResource }),
      requestKind: { group, version: objectVersion, kind },
      requestResource: { group, version: objectVersion, resource: plural },
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      operation,
      userInfo: { username: 'gardenlet' },
      object,
      oldObject: oldObject ?? null,
      dryRun: false,
      options: null,
    },
  })
}

/**
 * Sends one review to a webhook, with the same texts as an API server, and applies the patch of the answer. The webhook
 * runs in this process. Its selectors are not checked: every object reaches it.
 *
 * A refusal is a result: with the code of the webhook (default: 403), with 500 for an error in `review`, and with 400
 * for a review that no API server sends, for example an UPDATE without `oldObject` or a kind outside of `resources`.
 * Rejects with a `ZodError` if the definition refuses the `settings`.
 *
 * @example
 * const request = { operation: 'CREATE', object: deployment } as const
 * const { allowed, object: changed } = await sendReview(webhook, request, { objects })
 */
export const sendReview = async (
  definition: WebhookDefinition,
  sent: SentReview,
  options: SendReviewOptions = {},
): Promise<ReviewResult> => {
  const body = Buffer.from(reviewBody(definition, sent, options))
  const answered = await answerReview(
    definition,
    body,
    permittedLookup(options.lookup ?? lookupIn(options.objects ?? []), definition),
    definition.settings.parse(options.settings ?? {}),
  )
  if (answered.status !== 200) throw new Error(answered.body)
  const { response } = JSON.parse(answered.body) as {
    readonly response: {
      readonly allowed: boolean
      readonly status: { readonly code: number; readonly message?: string }
      readonly patch?: string
      readonly warnings?: readonly string[]
    }
  }
  const patch =
    response.patch === undefined
      ? []
      : (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as readonly PatchStep[])
  return {
    allowed: response.allowed,
    code: response.status.code,
    ...(response.status.message !== undefined && { message: response.status.message }),
    object: patched(sent.object, patch),
    patch,
    warnings: response.warnings ?? [],
  }
}

/**
 * Sends the result of a review again, as an update of the first object. A webhook must not change its own result, so
 * the `patch` of this answer must be empty. Rejects as `sendReview` does.
 *
 * @example
 * const created = { operation: 'CREATE', object: deployment } as const
 * const again = await sendReviewAgain(webhook, created, await sendReview(webhook, created))
 * console.log(again.patch.length) // 0
 */
export const sendReviewAgain = (
  definition: WebhookDefinition,
  { object }: Pick<SentReview, 'object'>,
  { object: after }: Pick<ReviewResult, 'object'>,
  options: SendReviewOptions = {},
): Promise<ReviewResult> =>
  sendReview(definition, { operation: 'UPDATE', object: after, oldObject: object }, options)

/** Returns the object after the patch, or an equal copy without one. */
export const patched = (
  object: KubernetesObject,
  patch: readonly PatchStep[] | undefined,
): KubernetesObject => {
  const after = structuredClone(object)
  for (const problem of applyPatch(after, [...(patch ?? [])] as Operation[])) if (problem) throw problem
  return after
}

const permittedLookup = (lookup: Lookup, { permissions }: WebhookDefinition): Lookup => {
  const beyond = (): never => {
    throw new Error('an admission function can only read')
  }
  const { get, list } = permittedKubernetes(
    {
      ...lookup,
      watch: beyond,
      create: beyond,
      replace: beyond,
      patch: beyond,
      apply: beyond,
      delete: beyond,
    },
    permissions,
  )
  return { get, list }
}
