import { isDeepStrictEqual } from 'node:util'
import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { WebhookConfiguration } from '../../admission/admission.ts'

type Configurations = Pick<Kubernetes, 'get' | 'create' | 'patch'>

const configurationResource = ({ kind }: Pick<WebhookConfiguration, 'kind'>): GroupVersionResource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
})

export const readConfiguration = (
  kubernetes: Configurations,
  configuration: WebhookConfiguration,
): Promise<KubernetesObject | undefined> =>
  kubernetes.get(configurationResource(configuration), { name: configuration.metadata.name })

/** Returns the bundles that the webhooks of a configuration trust, in PEM format, one per webhook. */
export const bundlesOf = (configuration: KubernetesObject | undefined): readonly string[] => {
  const webhooks = configuration?.webhooks
  return Array.isArray(webhooks)
    ? webhooks.map(webhook =>
        Buffer.from(String(Object(Object(webhook).clientConfig).caBundle ?? ''), 'base64').toString(),
      )
    : []
}

/**
 * Ensures the configuration. Writes nothing if it is up to date. If another client has changed it since the read, the
 * write is a conflict (409), and the next call reads it again.
 */
export const ensureConfiguration = async (
  kubernetes: Configurations,
  desired: WebhookConfiguration,
  present: KubernetesObject | undefined,
): Promise<'created' | 'changed' | 'same'> => {
  const resource = configurationResource(desired)
  if (present === undefined) {
    await kubernetes.create(resource, desired)
    return 'created'
  }
  if (isSame(desired, present)) return 'same'
  const { name, labels, ownerReferences } = desired.metadata
  const { uid, resourceVersion } = present.metadata
  await kubernetes.patch(
    resource,
    { name },
    { metadata: { uid, resourceVersion, labels, ownerReferences }, webhooks: desired.webhooks },
  )
  return 'changed'
}

const isSame = (desired: WebhookConfiguration, present: KubernetesObject): boolean =>
  isDeepStrictEqual(desired.webhooks, present.webhooks) &&
  isDeepStrictEqual(desired.metadata.ownerReferences, present.metadata.ownerReferences) &&
  Object.entries(desired.metadata.labels ?? {}).every(
    ([label, value]) => present.metadata.labels?.[label] === value,
  )
