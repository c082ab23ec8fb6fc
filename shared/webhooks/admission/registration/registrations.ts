import type {
  AdmissionregistrationV1WebhookClientConfig,
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
  V1RuleWithOperations,
  V1ValidatingWebhookConfiguration,
} from '@kubernetes/client-node'
import type { Json, Rendered } from '../../../kubernetes/kubernetes.ts'
import { reviewVersions } from '../answer/read-review.ts'
import { reviewOperations } from '../review.ts'
import type { LabelSelector, WebhookDefinition } from '../webhook-definition.ts'
import { clusterProof } from './cluster-path.ts'
import {
  configurationName,
  serviceNameOf,
  shootConfigurationName,
  webhookName,
  webhookPath,
} from './names.ts'

export type WebhookConfiguration = Rendered<V1MutatingWebhookConfiguration | V1ValidatingWebhookConfiguration>

export interface RegistrationOptions {
  /** Of the Service by which API servers reach the process. */
  readonly namespace: string
  /** Whom they trust, by component: certificates in PEM. */
  readonly caBundleOf: (component: string) => string
  /**
   * Returns the key with which the cluster's API servers prove themselves to a component. Absent or undefined: the paths have no
   * such proof, as in shoots, which use their own.
   */
  readonly pathKeyOf?: (component: string) => Uint8Array | undefined
  /** `https://host:port` in place of the Service, for a process outside of a cluster. */
  readonly url?: string
  /** Of the Namespace that owns the configurations; absent: nobody does. */
  readonly ownerUid?: string
  /** The name of that Namespace. Absent: that of the Service. */
  readonly ownerNamespace?: string
}

/** API servers of other clusters reach the process by the name of its Service, at its port. */
export const servicePort = 443

/** By which API servers of other clusters reach a component: `https://gardener-extension-admission-foo.garden:443`. */
export const serviceUrl = (component: string, namespace: string): string =>
  `https://${serviceNameOf(component)}.${namespace}:${servicePort}`

/**
 * The configurations that make API servers ask (docs/contract/webhooks.md#registrations): one for each component and action,
 * with all that an API server would add, so that what is there can be compared. The same for the same definitions, in
 * whatever order they come. Those of `shoot` are `shootRegistrations`.
 */
export const registrations = (
  definitions: readonly WebhookDefinition[],
  options: RegistrationOptions,
): readonly WebhookConfiguration[] => {
  const inCluster = definitions.filter(({ target }) => target !== 'shoot')
  return componentsOf(inCluster).flatMap(component =>
    (['mutate', 'validate'] as const).flatMap(action => {
      const own = inCluster.filter(one => one.component === component && one.action === action)
      if (own.length === 0) return []
      return [configuration(action, configurationName(component, options.namespace), own, options)]
    }),
  )
}

/**
 * The configuration for the API servers of shoots, one for each component. Its URLs end without the shoot:
 * `configurationOfShoot` makes that of one.
 */
export const shootRegistrations = (
  definitions: readonly WebhookDefinition[],
  options: Omit<RegistrationOptions, 'ownerUid' | 'pathKeyOf'>,
): readonly WebhookConfiguration[] => {
  const inShoot = definitions.filter(({ target }) => target === 'shoot')
  return componentsOf(inShoot).map(component => {
    const url = options.url ?? serviceUrl(component, options.namespace)
    const own = inShoot.filter(one => one.component === component)
    return configuration('mutate', shootConfigurationName(component, options.namespace), own, {
      namespace: options.namespace,
      caBundleOf: options.caBundleOf,
      url,
    })
  })
}

/** The configuration for one shoot. `shootPath`: by it the process knows whose objects it sees. */
export const configurationOfShoot = (
  shared: WebhookConfiguration,
  shootPath: string,
): WebhookConfiguration => ({
  ...shared,
  webhooks: (shared.webhooks ?? []).map(webhook => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, url: `${webhook.clientConfig.url}/${shootPath}` },
  })),
})

export const componentsOf = (definitions: readonly WebhookDefinition[]): readonly string[] =>
  [...new Set(definitions.map(({ component }) => component))].toSorted()

const configuration = (
  action: WebhookDefinition['action'],
  name: string,
  definitions: readonly WebhookDefinition[],
  options: RegistrationOptions,
): WebhookConfiguration => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: action === 'mutate' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
  metadata: {
    name,
    // Gardener does not mend it in shoots: it has a failure policy and a timeout of its own.
    labels: { 'remediation.webhook.shoot.gardener.cloud/exclude': 'true' },
    ...(options.ownerUid !== undefined && {
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          name: options.ownerNamespace ?? options.namespace,
          uid: options.ownerUid,
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    }),
  },
  webhooks: definitions
    .toSorted((a, b) => compare(a.name, b.name))
    .map(definition => webhook(definition, options)),
})

const webhook = (definition: WebhookDefinition, options: RegistrationOptions): Json<V1MutatingWebhook> => ({
  name: webhookName(definition),
  clientConfig: clientConfig(definition, options),
  rules: rulesOf(definition),
  failurePolicy: definition.failurePolicy,
  matchPolicy: 'Exact',
  namespaceSelector: selector(definition.namespaceSelector),
  objectSelector: selector(definition.objectSelector),
  ...(definition.matchConditions.length > 0 && {
    matchConditions: definition.matchConditions.map(({ name, expression }) => ({ name, expression })),
  }),
  sideEffects: 'None',
  timeoutSeconds: definition.timeoutSeconds,
  admissionReviewVersions: [...reviewVersions],
  ...(definition.action === 'mutate' && { reinvocationPolicy: definition.reinvocationPolicy }),
})

const clientConfig = (
  definition: WebhookDefinition,
  { namespace, caBundleOf, pathKeyOf, url }: RegistrationOptions,
): Json<AdmissionregistrationV1WebhookClientConfig> => {
  const plain = webhookPath(definition)
  const key = pathKeyOf?.(definition.component)
  const path = key === undefined ? plain : `${plain}/${clusterProof(key, plain)}`
  return {
    caBundle: Buffer.from(caBundleOf(definition.component)).toString('base64'),
    ...(url === undefined
      ? { service: { namespace, name: serviceNameOf(definition.component), path, port: servicePort } }
      : { url: `${url}${path}` }),
  }
}

/** One rule for each resource, so that no order of a list decides about anything. */
const rulesOf = ({ resources }: WebhookDefinition): readonly Json<V1RuleWithOperations>[] =>
  resources
    .toSorted((a, b) => compare(a.group, b.group) || compare(a.plural, b.plural))
    .map(({ group, versions, plural, operations = reviewOperations }) => ({
      operations: [...operations],
      apiGroups: [group],
      apiVersions: [...versions],
      resources: [plural],
      scope: '*',
    }))

const selector = ({ matchLabels, matchExpressions }: LabelSelector = {}) => ({
  ...(matchLabels && { matchLabels: { ...matchLabels } }),
  ...(matchExpressions && {
    matchExpressions: matchExpressions.map(({ values, ...rest }) => ({
      ...rest,
      ...(values && { values: [...values] }),
    })),
  }),
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
