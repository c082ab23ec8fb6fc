import type {
  AdmissionregistrationV1WebhookClientConfig,
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
  V1RuleWithOperations,
  V1ValidatingWebhookConfiguration,
} from '@kubernetes/client-node'
import type { Json, Rendered } from '../../../kubernetes/kubernetes.ts'
import { reviewOperations, reviewVersions } from '../review.ts'
import type { LabelSelector, WebhookDefinition } from '../webhook-definition.ts'
import {
  clusterProof,
  configurationName,
  serviceNameOf,
  shootConfigurationName,
  webhookName,
  webhookPath,
} from './names.ts'

export type WebhookConfiguration = Rendered<V1MutatingWebhookConfiguration | V1ValidatingWebhookConfiguration>

export interface RegistrationOptions {
  /** Namespace of the Service through which API servers reach the process. */
  readonly namespace: string
  /** Returns the CA certificates that API servers trust for a component, in PEM. */
  readonly caBundleOf: (component: string) => string
  /**
   * Returns the key with which the cluster's API servers authenticate to a component. Absent or undefined: the paths
   * contain no proof. Shoots have a separate proof.
   */
  readonly pathKeyOf?: (component: string) => Uint8Array | undefined
  /** `https://host:port` of a process outside the cluster. Replaces the Service. */
  readonly url?: string
  /** Uid of the Namespace that owns the configurations. Absent: they have no owner. */
  readonly ownerUid?: string
  /** Name of the owner Namespace. Default: the Service's namespace. */
  readonly ownerNamespace?: string
}

/** API servers of other clusters reach the process by its Service's name and port. */
export const servicePort = 443

/**
 * Returns the URL by which API servers of other clusters reach a component:
 * `https://gardener-extension-admission-foo.garden:443`.
 */
export const serviceUrl = (component: string, namespace: string): string =>
  `https://${serviceNameOf(component)}.${namespace}:${servicePort}`

/**
 * Returns the webhook configurations (docs/contract/webhooks.md#registrations): one per component and action, with all
 * defaults of the API server, so that they can be compared with existing ones. Independent of the order of the
 * definitions. For `shoot`, use `shootRegistrations`.
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
 * Returns the configuration for the API servers of shoots, one per component. Its URLs end before the shoot;
 * `configurationOfShoot` adds it.
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

/** Returns the configuration for one shoot. The process recognizes the shoot by `shootPath`. */
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
    // Excludes the configuration from Gardener's remediation in shoots: it has a suitable failure policy and timeout.
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

/** One rule per resource, so that the order of a list has no effect. */
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
