import type * as z from 'zod'
import type { FunctionPermission, SourcePlace } from '../../runtime/runtime.ts'
import type { Reviewer, ReviewOperation } from './review.ts'

/** A resource to review. */
export interface ReviewedResource {
  /** `''` for the core group. Never `*`. */
  readonly group: string
  /** `['*']`: objects arrive in any version. */
  readonly versions: readonly [string, ...string[]]
  /** The plural, `plural/status`, or `plural/*` for all subresources. */
  readonly plural: string
  readonly kind: string
  /** The most fields and list items of a review, for objects that only operators write. Default: 50,000. */
  readonly mostElements?: number
  /** Default: both. */
  readonly operations?: readonly [ReviewOperation, ...ReviewOperation[]]
}

/** `matchLabels` and `matchExpressions` of the Kubernetes API. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
    readonly values?: readonly string[]
  }[]
}

/** A CEL expression over `object`, `oldObject` and `request`, as in the Kubernetes API. */
export interface MatchCondition {
  /** A short name in lower case letters, digits and dashes. */
  readonly name: string
  readonly expression: string
}

/** The cluster of the calling API server. `garden` is the virtual garden. */
export const webhookTargets = ['seed', 'shoot', 'garden'] as const
export type WebhookTarget = (typeof webhookTargets)[number]

/**
 * The author's options of an admission function. Registration, RBAC, documentation and replay are derived from them.
 */
export interface WebhookOptions<S extends z.ZodObject = z.ZodObject> {
  /** The name in the configuration, without the component's suffix, and the last part of the path: `controlplane`. */
  readonly name: string
  /** The component, which names the configuration: `provider-aws` → `gardener-extension-provider-aws`. */
  readonly component: string
  readonly action: 'mutate' | 'validate'
  readonly target: WebhookTarget
  readonly resources: readonly [ReviewedResource, ...ReviewedResource[]]
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  /**
   * More conditions for objects that no label selects. API servers before 1.28 ignore them and call the function.
   * Default: none.
   */
  readonly matchConditions?: readonly MatchCondition[]
  /** Default: `Fail`; for `shoot`: `Ignore` (docs/contract/webhooks.md#registrations). */
  readonly failurePolicy?: 'Fail' | 'Ignore'
  /** Seconds. Default: 10. */
  readonly timeoutSeconds?: number
  /** Default: `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
  /** Reviews objects in deletion too. Default: they are allowed unchanged. */
  readonly deleting?: boolean
  /**
   * Settings of the function, in addition to those of the process. The process does not start if the schema refuses a
   * value, for example an unreadable file. Default: none.
   */
  readonly settings?: S
  /** Lookups of the function: only `get` and `list`. With `shoot`: in the shoot's API server. */
  readonly permissions?: readonly FunctionPermission[]
  /** Answers one review. */
  readonly review: Reviewer<z.output<S>>
}

/** An admission function as data, created by `defineWebhook`. */
export interface WebhookDefinition
  extends Required<Omit<WebhookOptions, 'namespaceSelector' | 'objectSelector' | 'review'>>,
    Pick<WebhookOptions, 'namespaceSelector' | 'objectSelector'> {
  /** `settings`: the parsed `settings` of this definition. */
  readonly review: Reviewer<Readonly<Record<string, unknown>>>
  /** Source location of the definition. Undefined if the stack lacks it. */
  readonly place: SourcePlace | undefined
}

/** All copies of the library in a process share this symbol. */
export const madeByDefineWebhook = Symbol.for('trellis.gardener.cloud/webhook-definition')

/** Returns true if `defineWebhook` created the value. */
export const isWebhookDefinition = (value: unknown): value is WebhookDefinition =>
  typeof value === 'object' && value !== null && madeByDefineWebhook in value
