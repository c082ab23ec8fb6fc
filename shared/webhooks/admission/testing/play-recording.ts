import type { Operation } from 'rfc6902'
import { type KubernetesObject, permittedKubernetes } from '../../../kubernetes/kubernetes.ts'
import { answerReview, type Lookup, type WebhookDefinition } from '../admission.ts'
import { lookupOf, pluralOf } from './lookup-of.ts'
import { patched, type RecordedReview } from './recording.ts'

/** The result of a review: the answer to the API server and the resulting object. */
export interface ReviewResult {
  readonly allowed: boolean
  readonly code: number
  readonly message?: string
  /** The object after the patch. */
  readonly object: KubernetesObject
  readonly patch: readonly Operation[]
  readonly warnings: readonly string[]
}

export type ReviewInput = Pick<RecordedReview, 'operation' | 'object' | 'oldObject'>

export interface PlayOptions {
  /** Objects for lookups, or a client. Lookups without permission in the definition are refused. */
  readonly objects?: readonly KubernetesObject[]
  readonly lookup?: Lookup
  readonly settings?: Readonly<Record<string, unknown>>
  /** `status` */
  readonly subresource?: string
  readonly version?: 'v1' | 'v1beta1'
}

/** Returns the body of an AdmissionReview as kube-apiserver sends it for a resource of the definition. */
export const reviewBody = (
  { resources }: Pick<WebhookDefinition, 'resources'>,
  { operation, object, oldObject }: ReviewInput,
  { subresource, version = 'v1' }: Pick<PlayOptions, 'subresource' | 'version'> = {},
): string => {
  const [group = '', objectVersion = ''] = object.apiVersion.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion]
  const { kind, metadata } = object
  const reviewed = resources.find(resource => resource.kind === kind && resource.group === group)
  const [plural, part] = (reviewed?.plural ?? pluralOf(kind)).split('/')
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

/** Sends one review to a definition, with the same texts that an API server exchanges. */
export const playRecording = async (
  definition: WebhookDefinition,
  recorded: ReviewInput,
  options: PlayOptions = {},
): Promise<ReviewResult> => {
  const body = Buffer.from(reviewBody(definition, recorded, options))
  const answered = await answerReview(
    definition,
    body,
    permittedLookup(options.lookup ?? lookupOf(options.objects ?? []), definition),
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
      : (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as readonly Operation[])
  return {
    allowed: response.allowed,
    code: response.status.code,
    ...(response.status.message !== undefined && { message: response.status.message }),
    object: patched(recorded.object, patch),
    patch,
    warnings: response.warnings ?? [],
  }
}

/** Sends the resulting object again, as an update of the original. It must not change again. */
export const playAgain = (
  definition: WebhookDefinition,
  { object }: ReviewInput,
  { object: after }: ReviewResult,
  options: PlayOptions = {},
): Promise<ReviewResult> =>
  playRecording(definition, { operation: 'UPDATE', object: after, oldObject: object }, options)

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
