import { defineWebhook } from '../../../../build/library/webhooks.ts'
import { apiServerLabels, apiServerReview, component, secretsPermission } from '../review.ts'

/** The API servers of shoots with the Extension: they call its authenticator. */
export const definition = defineWebhook({
  name: 'kube-apiserver',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [{ group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment' }],
  namespaceSelector: {
    matchExpressions: [
      { key: 'extensions.gardener.cloud/shoot-oidc-service', operator: 'In', values: ['true'] },
    ],
  },
  objectSelector: apiServerLabels,
  permissions: [secretsPermission],
  review: apiServerReview('shoot'),
})
