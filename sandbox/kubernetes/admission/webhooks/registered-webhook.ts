import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { isRecord, type JsonRecord } from '../../schema/structural-schema.ts'
import type { Store } from '../../store/store.ts'

export interface WebhookRule {
  readonly groups: readonly string[]
  readonly versions: readonly string[]
  /** `secrets`, `secrets/status`; `*` matches any. */
  readonly resources: readonly string[]
  readonly operations: readonly string[]
  readonly scope: string
}

/** A webhook of a configuration, with kube-apiserver's defaults. */
export interface RegisteredWebhook {
  /** Identifies the webhook, also after a change of its configuration. */
  readonly id: string
  readonly action: 'mutate' | 'validate'
  readonly name: string
  readonly clientConfig: JsonRecord
  readonly rules: readonly WebhookRule[]
  readonly namespaceSelector: JsonRecord
  readonly objectSelector: JsonRecord
  /** CEL expressions, all of which must be true. */
  readonly matchConditions: readonly string[]
  readonly failurePolicy: 'Fail' | 'Ignore'
  readonly reinvocationPolicy: 'Never' | 'IfNeeded'
  readonly sideEffects: string
  readonly timeoutSeconds: number
}

const group = 'admissionregistration.k8s.io'
const collections = {
  mutate: `mutatingwebhookconfigurations.${group}`,
  validate: `validatingwebhookconfigurations.${group}`,
} as const

export const hasWebhooks = (store: Store): boolean =>
  Object.values(collections).some(name => store.collection(name).size > 0)

/**
 * Returns the webhooks in calling order: by the names of their configurations, then in the order of the configuration.
 */
export const registeredWebhooks = (
  store: Store,
  action: RegisteredWebhook['action'],
): readonly RegisteredWebhook[] =>
  configurations(store, collections[action]).flatMap(configuration =>
    records(configuration.webhooks).map((webhook, index) => ({
      id: `${action}/${configuration.metadata.name}/${index}`,
      action,
      name: String(webhook.name),
      clientConfig: record(webhook.clientConfig),
      rules: records(webhook.rules).map(ruleOf),
      namespaceSelector: record(webhook.namespaceSelector),
      objectSelector: record(webhook.objectSelector),
      matchConditions: records(webhook.matchConditions).map(({ expression }) => String(expression)),
      failurePolicy: webhook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
      reinvocationPolicy: webhook.reinvocationPolicy === 'IfNeeded' ? 'IfNeeded' : 'Never',
      sideEffects: String(webhook.sideEffects),
      timeoutSeconds: typeof webhook.timeoutSeconds === 'number' ? webhook.timeoutSeconds : 10,
    })),
  )

/** Sorted by name. */
const configurations = (store: Store, name: string): readonly KubernetesObject[] =>
  store
    .collection(name)
    .list()
    .map(({ object }) => object)

const ruleOf = (rule: JsonRecord): WebhookRule => ({
  groups: texts(rule.apiGroups),
  versions: texts(rule.apiVersions),
  resources: texts(rule.resources),
  operations: texts(rule.operations),
  scope: typeof rule.scope === 'string' ? rule.scope : '*',
})

const record = (value: unknown): JsonRecord => (isRecord(value) ? value : {})
const records = (value: unknown): readonly JsonRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : []
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
