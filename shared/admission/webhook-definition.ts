import type { FunctionPermission, SourcePlace } from '../runtime/runtime.ts'
import type { Reviewer, ReviewOperation } from './review.ts'

/** A resource whose objects are reviewed. */
export interface ReviewedResource {
  /** `''` for the core group, `*` never. */
  readonly group: string
  readonly versions: readonly [string, ...string[]]
  /** The plural, or `plural/status`. */
  readonly plural: string
  readonly kind: string
  readonly operations?: readonly ReviewOperation[]
}

/** `matchLabels` and `matchExpressions` as the API has them. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
    readonly values?: readonly string[]
  }[]
}

/** Where the API server is that asks. `garden` is the virtual garden. */
export const webhookTargets = ['seed', 'shoot', 'garden'] as const
export type WebhookTarget = (typeof webhookTargets)[number]

/** What an author says of an admission function. Registration, RBAC, documentation and replay follow from it. */
export interface WebhookOptions {
  /** Its name in the configuration, without what the component adds, and the last part of its path: `controlplane`. */
  readonly name: string
  /** Whose it is, which names the configuration: `provider-aws` → `gardener-extension-provider-aws`. */
  readonly component: string
  readonly action: 'mutate' | 'validate'
  readonly target: WebhookTarget
  readonly resources: readonly [ReviewedResource, ...ReviewedResource[]]
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  /** Absent: `Fail`, for `shoot` `Ignore` (docs/contract/webhooks.md). */
  readonly failurePolicy?: 'Fail' | 'Ignore'
  /** Absent: 10. */
  readonly timeoutSeconds?: number
  /** Absent: `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
  /** Reviewed although it is being deleted. Absent: such an object is allowed as it is. */
  readonly deleting?: boolean
  /** What it looks up. Only `get` and `list`. */
  readonly permissions?: readonly FunctionPermission[]
  /** Answers one review. */
  readonly review: Reviewer
}

/** An admission function as data. Made by `defineWebhook`. */
export interface WebhookDefinition
  extends Required<Omit<WebhookOptions, 'namespaceSelector' | 'objectSelector'>>,
    Pick<WebhookOptions, 'namespaceSelector' | 'objectSelector'> {
  /** Where it is defined; undefined where the stack does not tell. */
  readonly place: SourcePlace | undefined
}
