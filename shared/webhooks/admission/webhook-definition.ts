import type * as z from 'zod'
import type { FunctionPermission, SourcePlace } from '../../runtime/runtime.ts'
import type { Reviewer, ReviewOperation } from './review.ts'

/** A resource whose objects are reviewed. */
export interface ReviewedResource {
  /** `''` for the core group, `*` never. */
  readonly group: string
  /** `['*']` for all of them: the objects then come in any version. */
  readonly versions: readonly [string, ...string[]]
  /** The plural, `plural/status`, or `plural/*` for all that it has of these. */
  readonly plural: string
  readonly kind: string
  /** Absent: both. */
  readonly operations?: readonly [ReviewOperation, ...ReviewOperation[]]
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

/** An expression in CEL over `object`, `oldObject` and `request`, as the API has it. */
export interface MatchCondition {
  /** What it is about, in small letters, digits and dashes. */
  readonly name: string
  readonly expression: string
}

/** Where the API server is that asks. `garden` is the virtual garden. */
export const webhookTargets = ['seed', 'shoot', 'garden'] as const
export type WebhookTarget = (typeof webhookTargets)[number]

/** What an author says of an admission function. Registration, RBAC, documentation and replay follow from it. */
export interface WebhookOptions<S extends z.ZodObject = z.ZodObject> {
  /** Its name in the configuration, without what the component adds, and the last part of its path: `controlplane`. */
  readonly name: string
  /** Whose it is, which names the configuration: `provider-aws` → `gardener-extension-provider-aws`. */
  readonly component: string
  readonly action: 'mutate' | 'validate'
  readonly target: WebhookTarget
  readonly resources: readonly [ReviewedResource, ...ReviewedResource[]]
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  /**
   * What else has to be true of an object of which the function is asked, where no label tells. An API server before 1.28 asks
   * all the same. Absent: nothing.
   */
  readonly matchConditions?: readonly MatchCondition[]
  /** Absent: `Fail`, for `shoot` `Ignore` (docs/contract/webhooks.md#registrations). */
  readonly failurePolicy?: 'Fail' | 'Ignore'
  /** Absent: 10. */
  readonly timeoutSeconds?: number
  /** Absent: `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
  /** Reviewed although it is being deleted. Absent: such an object is allowed as it is. */
  readonly deleting?: boolean
  /**
   * What can be set of it, beside what can be set of the process. What its schema refuses ends the start: the place for a file that
   * cannot be read. Absent: nothing.
   */
  readonly settings?: S
  /** What it looks up. Only `get` and `list`. With `shoot`: in the shoot's own API server. */
  readonly permissions?: readonly FunctionPermission[]
  /** Answers one review. */
  readonly review: Reviewer<z.output<S>>
}

/** An admission function as data. Made by `defineWebhook`. */
export interface WebhookDefinition
  extends Required<Omit<WebhookOptions, 'namespaceSelector' | 'objectSelector' | 'review'>>,
    Pick<WebhookOptions, 'namespaceSelector' | 'objectSelector'> {
  /** `settings`: what this definition's `settings` have parsed. */
  readonly review: Reviewer<Readonly<Record<string, unknown>>>
  /** Where it is defined; undefined where the stack does not tell. */
  readonly place: SourcePlace | undefined
}

/** Known under this name to every copy of the library in a process. */
export const madeByDefineWebhook = Symbol.for('trellis.gardener.cloud/webhook-definition')

/** Whether a value was made by `defineWebhook`. */
export const isWebhookDefinition = (value: unknown): value is WebhookDefinition =>
  typeof value === 'object' && value !== null && madeByDefineWebhook in value
