import type { V1ValidatingWebhookConfiguration } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { allow, clusterRole, clusterRoleBinding } from '../../../../shared/manifests/manifests.ts'
import { authenticatorName } from '../api-server/oidc.ts'
import { labels } from './labels.ts'
// From gardener/oidc-webhook-authenticator v0.44 (controller-gen v0.18.0), under the Apache License 2.0.
import openIdConnects from './openidconnects.json' with { type: 'json' }

export interface ShootInput {
  /** The namespace in the seed. */
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
export const shootObjects = ({ namespace, caBundle }: ShootInput): readonly KubernetesObject[] => [
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
