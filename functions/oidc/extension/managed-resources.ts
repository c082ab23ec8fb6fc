import type { V1ValidatingWebhookConfiguration } from '@kubernetes/client-node'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  inInstallOrder,
  noCleanUpLabels,
} from '../../../build/library/components.ts'
import type { DesiredManagedResource } from '../../../build/library/resources.ts'
import type { KubernetesObject, Rendered } from '../../../build/library/trellis.ts'
import { authenticatorName } from './api-server/oidc.ts'
import { labels } from './objects/labels.ts'
import openIdConnects from './objects/openidconnects.json' with { type: 'json' }
import type { SeedInput } from './objects/seed-input.ts'
import { seedObjects } from './objects/seed-objects.ts'

/** The objects in the seed, or in the runtime cluster of a garden. */
export const seedName = 'extension-shoot-oidc-service-seed'
/** The objects in the shoot, or in the virtual garden. */
export const shootName = 'extension-shoot-oidc-service-shoot'

const shared = { key: 'data.yaml.br', secretPrefix: 'managedresource-', keepObjects: false } as const

export const seedResource = (input: SeedInput): DesiredManagedResource => ({
  ...shared,
  name: seedName,
  namespace: input.namespace,
  class: 'seed',
  objects: inInstallOrder(seedObjects(input)),
})

export const shootResource = (input: ShootInput): DesiredManagedResource => ({
  ...shared,
  name: shootName,
  namespace: input.namespace,
  labels: { origin: 'shoot-oidc-service' },
  // The ManagedResource deletes the objects.
  injectLabels: noCleanUpLabels,
  objects: inInstallOrder(shootObjects(input)),
})

interface ShootInput {
  readonly namespace: string
  /** Verifies the authenticator for the API server: base64 of PEM. */
  readonly caBundle: string
}

const reader = `${authenticatorName}-resource-reader`
const group = 'authentication.gardener.cloud'

/**
 * The objects in the shoot or the virtual garden: the kind for providers, which the authenticator may read and
 * validates.
 */
const shootObjects = ({ namespace, caBundle }: ShootInput): readonly KubernetesObject[] => [
  openIdConnects,
  clusterRole(reader, [allow(group, 'openidconnects', ['get', 'list', 'watch'])], labels),
  clusterRoleBinding({ name: reader, account: authenticatorName, labels }),
  validation(namespace, caBundle),
]

const validation = (namespace: string, caBundle: string): Rendered<V1ValidatingWebhookConfiguration> => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: authenticatorName, labels },
  webhooks: [
    {
      name: 'validation.oidc.service.extensions.gardener.cloud',
      rules: [
        {
          apiGroups: [group],
          apiVersions: ['v1alpha1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['openidconnects'],
        },
      ],
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1', 'v1beta'],
      clientConfig: { url: `https://${authenticatorName}.${namespace}/webhooks/validating`, caBundle },
    },
  ],
})
